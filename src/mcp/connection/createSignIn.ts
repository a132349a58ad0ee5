// Threats: a server names a sign-in that passes for another, or one in the user's own network; a token goes where it was not made for; a
// provider is exchanged between the question and the answer. So what a server names is asked for by https at public addresses alone (but a
// server of this machine may name others of it), the page is shown whole and opened by a click, an answer counts by its state and its
// issuer, and what comes of it is kept for one address and sent to its origin only.
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import {
  auth,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  isStrictScopeSuperset,
  type FetchLike,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import { inertLine } from '../../base/text.ts';
import type { ListenForBrowser } from '../../host/browserReturn.ts';
import type { Clock, Secrets } from '../../host/ports.ts';
import { signInSecret } from './connection.ts';

export interface SignInDeps {
  /** The server's name. */
  readonly server: string;
  readonly address: string;
  /** What the config says of a client that was registered by hand; absent, Pincer registers itself. */
  readonly client?: { readonly client_id: string; readonly client_secret?: string } | undefined;
  readonly secrets: Secrets;
  /** For what the sign-in asks of others. */
  readonly fetch: FetchLike;
  readonly clock: Clock;
  readonly listenForBrowser: ListenForBrowser;
  /** Gets why a sign-in could not be renewed. */
  readonly log: (text: string) => void;
  /** Shows a person the whole address and opens it; false where they don't want to, undefined where nobody is there. */
  readonly open: (page: URL, signal: AbortSignal) => Promise<boolean | undefined>;
}

/** The sign-in at one server (Model Context Protocol, Authorization). */
export interface SignIn {
  /** Sends with the token that there is; one that is over is renewed without a question where that can be. */
  readonly signed: (send: FetchLike) => FetchLike;
  /**
   * Does `work`, and again once a person has signed in where the server wanted that.
   * @throws PincerError `mcp_sign_in_needed`, `mcp_sign_in_failed`, and whatever `work` throws
   */
  readonly during: <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>;
}

type Client = NonNullable<Awaited<ReturnType<OAuthClientProvider['clientInformation']>>>;
type Tokens = NonNullable<Awaited<ReturnType<OAuthClientProvider['tokens']>>>;
type Discovery = Awaited<ReturnType<NonNullable<OAuthClientProvider['discoveryState']>>>;

/** What is kept of a sign-in. */
interface StoredSignIn {
  readonly client?: Client | undefined;
  readonly tokens?: Tokens | undefined;
  /** Where the browser came back to. */
  readonly redirectUrl?: string | undefined;
}

/** What a server says that it wants. */
interface Challenge {
  readonly scope: string | undefined;
  readonly resourceMetadataUrl: URL | undefined;
}

/** What became of the requests of one piece of work. */
interface Work {
  /** What the last of them that counts was refused for, and the token that it had. */
  refused?: { readonly challenge: Challenge; readonly token: string | undefined } | undefined;
}

/** A server that wants more after these has got what a person wants to give. */
const maxSignIns = 2;
/** How long a person may take. Milliseconds. */
const timeoutMs = 10 * 60_000;

export function createSignIn(deps: SignInDeps): SignIn {
  const { address, secrets } = deps;
  const name = signInSecret(deps.server);
  let kept: Promise<StoredSignIn> | undefined;
  // Calls run beside each other: what one was refused for is no reason to do another one again.
  const works = new AsyncLocalStorage<Work>();
  let asking: Promise<void> | undefined;
  /** Why what was kept could not be renewed the last time. */
  let notRenewed: string | undefined;

  const read = (): Promise<StoredSignIn> =>
    (kept ??= secrets.get(name).then((text) => parseKept(text, address)));
  const write = async (next: StoredSignIn): Promise<void> => {
    kept = Promise.resolve(next);
    await secrets.set(name, JSON.stringify({ address, ...next }));
  };
  /** True where there is another token than the one that was refused. Another window may have renewed it. */
  const renew = async (refused: string | undefined, challenge: Challenge): Promise<boolean> => {
    kept = undefined;
    const { client, tokens, redirectUrl } = await read();
    if (tokens !== undefined && tokens.access_token !== refused) return true;
    if (tokens?.refresh_token === undefined || client === undefined || redirectUrl === undefined)
      return false;
    const attempt = createAttempt(deps, { client, tokens, redirectUrl }, redirectUrl, false);
    let why = 'the server wants a new sign-in';
    try {
      const done = await auth(attempt.provider, attempt.optionsFor(challenge));
      if (done === 'AUTHORIZED') {
        await write(attempt.kept());
        notRenewed = undefined;
        return true;
      }
    } catch (error) {
      why = inertLine(errorMessage(error), 300);
    }
    // A person has to sign in, and is told why.
    notRenewed = attempt.refusal() ?? why;
    deps.log(`The sign-in could not be renewed: ${notRenewed}`);
    return false;
  };
  const signIn = async (challenge: Challenge, signal: AbortSignal): Promise<void> => {
    kept = undefined;
    const before = await read();
    const back = await deps.listenForBrowser(before.redirectUrl);
    const limit = new AbortController();
    const stop = deps.clock.after(timeoutMs, () => limit.abort());
    const both = AbortSignal.any([signal, limit.signal]);
    const attempt = createAttempt(deps, before, back.url, true);
    try {
      const scope = computeScopeUnion(before.tokens?.scope, challenge.scope);
      const options = {
        ...attempt.optionsFor({ ...challenge, scope }),
        forceReauthorization: isStrictScopeSuperset(scope, before.tokens?.scope),
      };
      if ((await auth(attempt.provider, options)) === 'REDIRECT') {
        const page = attempt.page();
        if (page === undefined || !isAllowed(page, address)) throw failed(deps, 'it names no page of https');
        // A browser that is signed in already is back at once.
        const answered = back.answer(attempt.state, both);
        const isOpened = await Promise.race([deps.open(page, both), answered.then(() => true)]);
        if (isOpened !== true) throw needed(deps, isOpened === undefined, notRenewed);
        const answer = await answered;
        const refusal = answer.get('error');
        if (refusal !== null) throw failed(deps, describeRefusal(refusal, answer.get('error_description')));
        const iss = answer.get('iss');
        await auth(attempt.provider, {
          ...options,
          authorizationCode: answer.get('code') ?? '',
          ...(iss === null ? {} : { iss }),
        });
      }
      await write(attempt.kept());
      notRenewed = undefined;
    } catch (error) {
      throw error instanceof PincerError
        ? error
        : failed(deps, attempt.refusal() ?? inertLine(errorMessage(error), 300));
    } finally {
      stop();
      back.close();
    }
  };

  return {
    signed: (send) => async (target, init) => {
      const work = asksForWork(init) ? works.getStore() : undefined;
      const keep = (response: Response, token: string | undefined): Response => {
        const challenge = challengeOf(response);
        if (work !== undefined) work.refused = challenge === undefined ? undefined : { challenge, token };
        return response;
      };
      const token = (await read()).tokens?.access_token;
      const response = await send(target, withToken(init, token));
      const challenge = challengeOf(response);
      if (challenge === undefined || response.status !== 401 || !(await renew(token, challenge)))
        return keep(response, token);
      const renewed = (await read()).tokens?.access_token;
      return keep(await send(target, withToken(init, renewed)), renewed);
    },
    async during(work, signal) {
      for (let signIns = 0; ; signIns += 1) {
        const own: Work = {};
        try {
          return await works.run(own, work);
        } catch (error) {
          const { refused } = own;
          if (refused === undefined || signIns === maxSignIns) throw error;
          // Somebody has signed in since it was refused.
          if ((await read()).tokens?.access_token !== refused.token) continue;
          // Calls beside each other wait for one sign-in.
          asking ??= signIn(refused.challenge, signal).finally(() => {
            asking = undefined;
          });
          await asking;
        }
      }
    },
  };
}

/** Not an answer to the server, nor that a call is taken back: what they are refused for says nothing of the call itself. Pure. */
function asksForWork(init: RequestInit | undefined): boolean {
  const said = typeof init?.body === 'string' ? parseJson(init.body) : undefined;
  if (!isRecord(said)) return true;
  return typeof said['method'] === 'string' && said['method'] !== 'notifications/cancelled';
}

/** One sign-in, as the library carries it out; `mayRegister` is false where nobody is to be asked. */
function createAttempt(
  { client: given, address, fetch }: SignInDeps,
  before: StoredSignIn,
  redirectUrl: string,
  mayRegister: boolean,
): {
  readonly provider: OAuthClientProvider;
  readonly state: string;
  readonly page: () => URL | undefined;
  readonly kept: () => StoredSignIn;
  readonly optionsFor: (challenge: Challenge) => Parameters<typeof auth>[1];
  /** What the last answer that refused something said; the library keeps only some of it. */
  readonly refusal: () => string | undefined;
} {
  // Who was registered for another address of return is refused at this one.
  const registered = before.redirectUrl === redirectUrl ? before.client : undefined;
  const client = given === undefined ? registered : boundClient(given, before.client);
  let kept: StoredSignIn = { client, tokens: before.tokens, redirectUrl };
  let page: URL | undefined;
  let verifier = '';
  let discovery: Discovery;
  const state = randomBytes(32).toString('base64url');
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: {
      client_name: 'Pincer',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
    state: () => state,
    clientInformation: () => kept.client,
    tokens: () => kept.tokens,
    saveTokens(tokens) {
      // A renewal need not repeat what renews the next time.
      const refresh = kept.tokens?.refresh_token;
      kept = {
        ...kept,
        tokens: { ...(refresh === undefined ? {} : { refresh_token: refresh }), ...tokens },
      };
    },
    redirectToAuthorization(url) {
      page = url;
    },
    saveCodeVerifier(text) {
      verifier = text;
    },
    codeVerifier: () => verifier,
    saveDiscoveryState(found) {
      discovery = found;
    },
    discoveryState: () => discovery,
    invalidateCredentials(what) {
      if (what === 'tokens' || what === 'all') kept = { ...kept, tokens: undefined };
      if ((what === 'client' || what === 'all') && given === undefined) kept = { ...kept, client: undefined };
      if (what === 'discovery' || what === 'all') discovery = undefined;
    },
  };
  if (mayRegister)
    provider.saveClientInformation = (saved) => {
      if (given !== undefined && saved.client_id !== given.client_id)
        throw new Error(
          'it names another provider than at the first sign-in, and your client with its secret is for that one. Take the agreement back and agree again where that is right',
        );
      kept = { ...kept, client: saved };
    };
  let refusal: string | undefined;
  const heard: FetchLike = async (target, init) => {
    const response = await fetch(target, init);
    if (response.ok) return response;
    const said = parseJson(await response.clone().text());
    if (isRecord(said) && typeof said['error'] === 'string')
      refusal = describeRefusal(said['error'], said['error_description']);
    return response;
  };
  return {
    provider,
    state,
    page: () => page,
    kept: () => kept,
    refusal: () => refusal,
    optionsFor: ({ scope, resourceMetadataUrl }) => ({
      serverUrl: address,
      fetchFn: heard,
      ...(scope === undefined ? {} : { scope }),
      ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
    }),
  };
}

/** Threat: a server names a provider of its own later, and gets the client's secret. So the one of the first sign-in counts. Pure. */
function boundClient(given: Client, known: Client | undefined): Client {
  const issuer = known?.client_id === given.client_id ? known.issuer : undefined;
  return issuer === undefined ? given : { ...given, issuer };
}

function withToken(init: RequestInit | undefined, token: string | undefined): RequestInit {
  const headers = new Headers(init?.headers);
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers };
}

function challengeOf(response: Response): Challenge | undefined {
  const { scope, resourceMetadataUrl, error } = extractWWWAuthenticateParams(response);
  const isRefused = response.status === 401 || (response.status === 403 && error === 'insufficient_scope');
  return isRefused ? { scope, resourceMetadataUrl } : undefined;
}

/** Whether a sign-in at the server of `address` may ask there, or send a browser there. Pure. */
export function isAllowed(url: URL, address: string): boolean {
  const server = new URL(address);
  if (url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || url.origin === server.origin || (isLocal(server) && isLocal(url));
}

export function isLocal({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/u.test(hostname);
}

/** Nothing, where it is kept for another address or can't be read. */
function parseKept(text: string | undefined, address: string): StoredSignIn {
  const said = text === undefined ? undefined : parseJson(text);
  if (!isRecord(said) || said['address'] !== address) return {};
  const { client, tokens, redirectUrl } = said;
  return {
    ...(isRecord(client) && typeof client['client_id'] === 'string' ? { client: client as Client } : {}),
    ...(isRecord(tokens) && typeof tokens['access_token'] === 'string' ? { tokens: tokens as Tokens } : {}),
    ...(typeof redirectUrl === 'string' && URL.canParse(redirectUrl) ? { redirectUrl } : {}),
  };
}

/** The code of a refusal, and the words of who refused as such: they are a stranger's. Pure. */
function describeRefusal(code: string, words: unknown): string {
  const said = typeof words === 'string' ? inertLine(words, 200).replaceAll('"', "'") : '';
  return `${inertLine(code, 100)}${said === '' ? '' : `, in its own words: "${said}"`}`;
}

function needed({ server }: SignInDeps, isNobodyThere: boolean, notRenewed: string | undefined): PincerError {
  const why = notRenewed === undefined ? '' : ` What there was could not be renewed: ${notRenewed}.`;
  return new PincerError('mcp_sign_in_needed', `The MCP server ${server} wants you to sign in.${why}`, {
    hint: isNobodyThere
      ? 'Review it in the Plugins view, where it asks you.'
      : 'Restart it in the Plugins view to be asked again.',
  });
}

function failed({ server }: SignInDeps, why: string): PincerError {
  return new PincerError('mcp_sign_in_failed', `The sign-in at the MCP server ${server} failed: ${why}.`, {
    hint: 'Restart it in the Plugins view to try again. Where it knows no registration, name a client: oauth.clientId in its entry.',
  });
}
