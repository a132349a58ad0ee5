// Gives the page what a webview has, over the gateway's WebSocket. The token is this tab's own and goes with it; it never stands in an address.

/** The few parts of the browser that are used; the project has no browser types. */
interface Page {
  readonly location: { readonly protocol: string; readonly host: string; reload(): void };
  readonly sessionStorage: {
    getItem(key: string): string | null;
    setItem(key: string, value: string): void;
    removeItem(key: string): void;
  };
  readonly navigator: { readonly userAgent: string };
  readonly document: { getElementById(id: string): Shown | null };
  readonly WebSocket: new (address: string) => Socket;
  readonly MessageEvent: new (type: string, options: { readonly data: unknown }) => object;
  dispatchEvent(event: object): void;
  setTimeout(run: () => void, ms: number): void;
  acquireVsCodeApi?: () => object;
}

interface Shown {
  hidden: boolean;
  textContent: string;
  readonly dataset: Record<string, string | undefined>;
  addEventListener(type: 'click', listener: () => void): void;
}

interface Socket {
  send(text: string): void;
  addEventListener(type: 'message', listener: (event: { readonly data: string }) => void): void;
  addEventListener(type: 'open' | 'close', listener: () => void): void;
}

const page = globalThis as unknown as Page;
const tokenKey = 'pincer.token';
const stateKey = 'pincer.state';
const shown = (id: string): Shown | null => page.document.getElementById(id);
const [cover, code, words, again] = ['cover', 'code', 'coverText', 'again'].map(shown);

let ids = 0;
/** What the page has said before it is let in. */
let waiting: unknown[] | undefined = [];
/** It may not ask yet, and will by itself. */
let asksLater = false;
const { protocol, host } = page.location;
const socket = new page.WebSocket(`${protocol === 'https:' ? 'wss' : 'ws'}://${host}/ws`);

function ask(method: string, params: object): void {
  ids += 1;
  socket.send(JSON.stringify({ type: 'req', id: String(ids), method, params }));
}

function say(text: string | undefined, shownCode = '', mayRetry = false): void {
  if (cover == null || code == null || words == null || again == null) return;
  cover.hidden = text === undefined;
  words.textContent = text ?? '';
  code.textContent = shownCode;
  again.hidden = !mayRetry;
}

again?.addEventListener('click', () => page.location.reload());
socket.addEventListener('open', () => {
  const token = page.sessionStorage.getItem(tokenKey);
  ask('connect', {
    minProtocol: 4,
    maxProtocol: 4,
    client: { id: page.navigator.userAgent.slice(0, 150), version: '1', mode: 'webchat' },
    scopes: ['operator.read', 'operator.write', 'operator.approvals'],
    auth: token === null ? { pairing: true } : { token },
  });
});
socket.addEventListener('close', () => {
  // The gateway has begun anew, or forgot this tab.
  if (waiting !== undefined) page.sessionStorage.removeItem(tokenKey);
  if (asksLater) return;
  say(waiting === undefined ? cover?.dataset['gone'] : cover?.dataset['denied'], '', true);
});
socket.addEventListener('message', ({ data }) => {
  const frame = JSON.parse(data) as {
    readonly type: string;
    readonly event?: string;
    readonly error?: { readonly retryAfterMs?: number };
    readonly payload?: {
      readonly type?: string;
      readonly code?: string;
      readonly message?: unknown;
      readonly auth?: { readonly deviceToken?: string };
    };
  };
  const { type, event, error, payload } = frame;
  if (event === 'pairing.code') say(cover?.dataset['compare'], payload?.code ?? '');
  if (event === 'page') page.dispatchEvent(new page.MessageEvent('message', { data: payload?.message }));
  if (type === 'res' && waiting !== undefined && error?.retryAfterMs !== undefined) {
    asksLater = true;
    say(cover?.dataset['soon']);
    page.setTimeout(() => page.location.reload(), error.retryAfterMs);
  }
  if (type === 'res' && payload?.type === 'hello-ok') {
    const own = payload.auth?.deviceToken;
    if (own !== undefined) page.sessionStorage.setItem(tokenKey, own);
    ask('page.open', {});
    for (const message of waiting ?? []) ask('page.post', { message });
    waiting = undefined;
    say(undefined);
  }
});

page.acquireVsCodeApi = () => ({
  postMessage(message: unknown) {
    if (waiting === undefined) ask('page.post', { message });
    else waiting.push(message);
  },
  getState: (): unknown => JSON.parse(page.sessionStorage.getItem(stateKey) ?? 'null'),
  setState: (state: unknown) => page.sessionStorage.setItem(stateKey, JSON.stringify(state)),
});
