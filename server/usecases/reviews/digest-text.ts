import { createHash } from 'node:crypto';

export const digestText = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 22);
