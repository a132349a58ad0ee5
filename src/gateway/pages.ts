import type { Disposable } from '../base/disposable.ts';

/** What the gateway serves people: a page in a browser, and what answers behind it. */
export interface PageServer {
  /** A file of the page by its path; undefined where there is none. */
  file(path: string): Promise<PageFile | undefined>;
  /** Asks the person whether this browser may come in: it shows the same code. False where they deny, or do not answer in time. */
  pair(request: PairingRequest, signal: AbortSignal): Promise<boolean>;
  /** A program with the gateway's token answers for the person; false where no browser with this code waits. Absent, none may. */
  answerPairing?(code: string, isAllowed: boolean): boolean;
  /** A page is there. What is returned is released when it goes. */
  open(port: PagePort): Disposable;
}

export interface PageFile {
  readonly type: string;
  readonly body: string;
}

export interface PairingRequest {
  readonly code: string;
  /** What the browser calls itself; its own words. */
  readonly name: string;
}

/** A browser that a person has let in, for as long as its token is good. */
export interface PairedBrowser {
  readonly id: number;
  /** What it calls itself; its own words. */
  readonly name: string;
  /** When it was let in, in milliseconds since the epoch. */
  readonly pairedAt: number;
  readonly isConnected: boolean;
}

/** The browsers that have got in; none where the gateway does not run in this window. */
export interface PairedBrowsers {
  list(): readonly PairedBrowser[];
  /** Its token is no longer good, and its pages are closed. */
  revoke(id: number): void;
}

/** Messages from and to one page. What comes is anything. */
export interface PagePort {
  post(message: unknown): void;
  listen(listener: (message: unknown) => void): void;
}

/** The paths of the page, which anybody may read: it holds no secret, and does nothing before it is paired. */
export const pagePaths = ['/', '/page/chat.js', '/page/colourCode.js', '/page/style.css'] as const;

// Threat: a text of a model or a file runs as a script in the page, or another site frames it. Nothing runs but our own file, and no image
// comes from elsewhere.
export const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** What a browser calls itself, without what every browser says; as it is where nothing of it is known. Pure. */
export function shortBrowser(userAgent: string): string {
  const [, name = '', version = ''] =
    /\b(Edg|OPR)\/(\d+)/u.exec(userAgent) ??
    /\b(Firefox|HeadlessChrome|Chrome|Version)\/(\d+)/u.exec(userAgent) ??
    [];
  const [, system = ''] = /\(([^;)]{1,40})/u.exec(userAgent) ?? [];
  if (name === '') return userAgent;
  const known = { Edg: 'Edge', OPR: 'Opera', HeadlessChrome: 'Chrome', Version: 'Safari' }[name] ?? name;
  return `${known} ${version}${system === '' ? '' : ` (${system})`}`;
}
