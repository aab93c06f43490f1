import { AppError } from '#shared/api/problem.ts';
import { reviewsApi } from '#shared/api/reviews.ts';
import type { Ports } from '../../ports/index.ts';
import type { Principal } from '../../usecases/authorize.ts';
import type { Handlers } from '../handler.ts';

export function reviewRoutes(_ports: Ports, _principal: Principal): Handlers<typeof reviewsApi> {
  const refuse = () => {
    throw new AppError({ code: 'UNSUPPORTED', message: 'Reviews are not served yet.' });
  };
  return Object.fromEntries(Object.keys(reviewsApi).map((id) => [id, refuse])) as never;
}
