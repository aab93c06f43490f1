export { ReviewDialogs } from './ui/review-dialogs.tsx';
export { ReviewPage } from './ui/review-page.tsx';
export { ReviewsPage } from './ui/reviews-page.tsx';
