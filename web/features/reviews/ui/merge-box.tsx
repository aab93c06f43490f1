import { useReviewScene } from '../review-scene.ts';
import { EndedBox } from './ended-box.tsx';
import { OpenBox } from './open-box.tsx';

/** At the foot of a review: the one button, why it cannot be pressed yet, or what came of it. */
export function MergeBox() {
  const { review } = useReviewScene();
  return review.state === 'open' ? <OpenBox /> : <EndedBox />;
}
