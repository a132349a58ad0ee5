import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** See `isThorough`. */
    readonly isThorough: boolean;
  }
}

/** True under `npm run test:kill` and `test:soak`: all moments and many rounds, where `npm test` takes a sample of them. */
export const isThorough = inject('isThorough');
