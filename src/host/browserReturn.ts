/** A place of this machine that a browser comes back to after a sign-in. */
export interface BrowserReturn {
  readonly url: string;
  /** The parameters of the first request that has this `state`. Rejects with `cancelled` where the signal aborts. */
  answer(state: string, signal: AbortSignal): Promise<URLSearchParams>;
  close(): void;
}

/** Listens where it did before, since whom one signs in at may know that address; else on a port that is free. */
export type ListenForBrowser = (before: string | undefined) => Promise<BrowserReturn>;
