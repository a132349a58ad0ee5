// Threat: a plugin asks for credentials in our name, keeps the sign-in open without end, or hands back anything at all. So its texts
// are shown as its own, on one line and bounded, and end with the sign-in; whatever it opens is shown whole first; what it hands back is
// copied, checked and small; what it logs and how it fails tells no credential; and a credential belongs to the plugin that got it, never to one that takes the id of its provider.
import { cancelledError, raceAbort, throwIfAborted } from '../../base/abort.ts';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { inertLine, truncate } from '../../base/text.ts';
import { copyData } from '../../base/untrusted.ts';
import type { Clock } from '../../host/ports.ts';
import type { PluginProvider, SignInMethod } from './pluginProvider.ts';
import { readCredential, type ProviderCredential } from './providerCredential.ts';

export interface SignInChoice {
  readonly label: string;
  readonly hint: string | undefined;
}

/** What a sign-in asks its user. Every text is a plugin's, on one line each; each call rejects with `cancelled` where the user leaves. */
export interface SignInPrompter {
  note(message: string, title: string | undefined): Promise<void>;
  /** A code that the user types into a page of the service. */
  deviceCode(code: string, title: string, message: string | undefined): Promise<void>;
  /** Gives the place of what was chosen. */
  select(message: string, choices: readonly SignInChoice[]): Promise<number>;
  multiselect(message: string, choices: readonly SignInChoice[]): Promise<readonly number[]>;
  text(asked: SignInText): Promise<string>;
  confirm(message: string): Promise<boolean>;
  /** Shows what goes on until `stop` is called. */
  progress(message: string): { update(message: string): void; stop(): void };
  /** Shows the whole address, and opens it when the user agrees. */
  openUrl(url: string): Promise<void>;
  /**
   * An address that leads a browser back here, and the first address it comes with that `isExpected`: any page can send a browser here.
   * Until `signal` aborts.
   */
  redirect(
    isExpected: (answer: URL) => boolean,
    signal: AbortSignal,
  ): Promise<{ readonly url: string; readonly answered: Promise<URL> }>;
  /** True where a browser that the user sees runs on another machine than the plugin. */
  readonly isRemote: boolean;
}

interface SignInText {
  readonly message: string;
  readonly initialValue: string | undefined;
  readonly placeholder: string | undefined;
  readonly isSecret: boolean;
  /** What is wrong with the text; undefined where nothing is. */
  readonly validate: (value: string) => string | undefined;
}

/**
 * The ways to sign in that a provider offers, each field read once; of two with the same id the first counts.
 * @throws whatever reading the plugin's fields throws
 */
export function readSignIns(given: Readonly<Record<string, unknown>>): readonly SignInMethod[] {
  const { auth } = given;
  const found = new Map<string, SignInMethod>();
  for (const each of listOf(auth, 20)) {
    const { id: rawId, label, hint, run } = isRecord(each) ? each : {};
    const id = lineOf(rawId, 80);
    if (typeof run !== 'function' || id === undefined || found.has(id)) continue;
    found.set(id, {
      id,
      label: lineOf(label, 80) ?? id,
      hint: lineOf(hint, 200),
      run: (context) => Reflect.apply(run, each, [context]) as unknown,
    });
  }
  return [...found.values()];
}

interface SignedInResult {
  readonly credential: ProviderCredential;
  /** What the plugin wants its user to know, a line each. */
  readonly notes: readonly string[];
}

/** What no message and no log may tell. */
export interface SignInSecrets {
  /** Takes the texts of any data. */
  readonly add: (data: unknown) => void;
  readonly redact: (text: string) => string;
}

interface SignInOptions {
  readonly methodId: string;
  readonly prompter: SignInPrompter;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly secrets: SignInSecrets;
  readonly signal: AbortSignal;
}

/** How long a sign-in may take in all: a page of another service may be slow, and its user, too. Milliseconds. */
const signInTimeoutMs = 15 * 60_000;

/**
 * Runs one of the provider's ways to sign in (OpenClaw, `ProviderAuthMethod.run`) and gives the credential of its first profile.
 * @throws PincerError `cancelled`, `plugin_sign_in_failed`
 */
export async function runSignIn(provider: PluginProvider, options: SignInOptions): Promise<SignedInResult> {
  const { methodId, clock, secrets, signal } = options;
  const method = provider.signIns.find(({ id }) => id === methodId);
  if (method === undefined) throw failed(provider, `it offers no way to sign in named ${methodId}`);
  const limit = new AbortController();
  const stop = clock.after(signInTimeoutMs, () => limit.abort());
  const both = AbortSignal.any([signal, limit.signal]);
  const log = createHeldLog((line) => provider.context.logger.info(line), secrets.redact);
  const work = async (): Promise<SignedInResult> => {
    const context = signInContext(provider, options, log.write, both);
    const given = await provider.call(`signing in to ${provider.id}`, () => method.run(context));
    throwIfAborted(both);
    const result = readResult(provider, given);
    secrets.add(result.credential);
    return result;
  };
  try {
    return await raceAbort(work(), both);
  } catch (error) {
    if (signal.aborted || (error instanceof PincerError && error.code === 'cancelled'))
      if (!limit.signal.aborted) throw cancelledError();
    const reason = limit.signal.aborted ? 'it took longer than 15 minutes' : errorMessage(error);
    throw failed(provider, secrets.redact(reason));
  } finally {
    stop();
    limit.abort();
    log.release();
  }
}

/** Holds lines until the sign-in has ended: before, the tokens that they may hold are not known. */
function createHeldLog(write: (line: string) => void, redact: (text: string) => string) {
  const held: string[] = [];
  let isReleased = false;
  const tell = (line: string): void => write(truncate(redact(line), 1_000));
  return {
    write: (text: unknown): void => {
      const line = lineOf(text, 10_000) ?? '';
      if (isReleased) tell(line);
      else if (held.length < 100) held.push(line);
    },
    release(): void {
      isReleased = true;
      held.splice(0).forEach(tell);
    },
  };
}

function readResult({ id }: PluginProvider, result: unknown): SignedInResult {
  const { profiles, notes } = isRecord(result) ? result : {};
  const credentials = listOf(profiles, 20)
    .filter(isRecord)
    .map(({ credential }) => credential);
  // A plugin of several providers may give credentials for all of them at once.
  const own = credentials.find((each) => isRecord(each) && each['provider'] === id) ?? credentials[0];
  return {
    credential: readCredential(own),
    notes: listOf(notes, 5).flatMap((note) => lineOf(note, 300) ?? []),
  };
}

function failed({ id, pluginId }: PluginProvider, reason: string): PincerError {
  return new PincerError(
    'plugin_sign_in_failed',
    `Signing in to "${id}" of plugin "${pluginId}" failed: ${inertLine(reason, 300)}.`,
    { hint: 'Try again, or look at the plugin.' },
  );
}

/** What a sign-in method gets (OpenClaw, `ProviderAuthContext`). */
function signInContext(
  { context }: PluginProvider,
  { prompter, env, clock, secrets }: SignInOptions,
  tell: (text: unknown) => void,
  signal: AbortSignal,
): object {
  const wizard = toWizard(prompter, secrets, signal);
  const { openUrl } = wizard;
  return {
    config: copyData(context.config),
    env,
    ...(context.workspaceDir === undefined ? {} : { workspaceDir: context.workspaceDir }),
    prompter: wizard,
    runtime: {
      log: tell,
      error: tell,
      exit(code: unknown): never {
        throw new Error(`it ended with code ${String(code)}`);
      },
    },
    signal,
    assertCurrent: () => throwIfAborted(signal),
    opts: {},
    isRemote: prompter.isRemote,
    openUrl,
    oauth: {
      createVpsAwareHandlers: (params: unknown) => browserHandlers(params, wizard),
      authorize: (params: unknown) => authorize(params, { prompter, openUrl, clock, secrets, signal }),
    },
  };
}

type Wizard = ReturnType<typeof toWizard>;

/** OpenClaw's `WizardPrompter` over ours. What a plugin passes is anything. */
function toWizard(prompter: SignInPrompter, secrets: SignInSecrets, signal: AbortSignal) {
  const until = async <T>(answer: () => Promise<T>): Promise<T> => {
    throwIfAborted(signal);
    return await raceAbort(answer(), signal);
  };
  const select = async (params: unknown): Promise<unknown> => {
    const options = optionsOf(params);
    return options[await until(() => prompter.select(messageOf(params), options))]?.value;
  };
  const note = (message: unknown, title?: unknown): Promise<void> =>
    until(() => prompter.note(lineOf(message, 1_000) ?? '', lineOf(title, 80)));
  return {
    intro: (): Promise<void> => Promise.resolve(),
    outro: note,
    note,
    plain: note,
    cancel(message: unknown): never {
      throw new Error(lineOf(message, 300) ?? 'it was cancelled');
    },
    deviceCode: (params: unknown): Promise<void> =>
      until(() =>
        prompter.deviceCode(
          fieldOf(params, 'code', 80) ?? '',
          fieldOf(params, 'title', 80) ?? '',
          fieldOf(params, 'message', 500),
        ),
      ),
    select,
    multiselect: async (params: unknown): Promise<readonly unknown[]> => {
      const options = optionsOf(params);
      const chosen = await until(() => prompter.multiselect(messageOf(params), options));
      return chosen.flatMap((at) => (options[at] === undefined ? [] : [options[at].value]));
    },
    async text(params: unknown): Promise<string> {
      const asked = textOf(params);
      const typed = await until(() => prompter.text(asked));
      if (asked.isSecret) secrets.add(typed);
      return typed;
    },
    confirm: (params: unknown): Promise<boolean> => until(() => prompter.confirm(messageOf(params))),
    progress(label: unknown) {
      throwIfAborted(signal);
      const shown = prompter.progress(lineOf(label, 200) ?? '');
      signal.addEventListener('abort', () => shown.stop(), { once: true });
      return {
        update(message: unknown): void {
          if (!signal.aborted) shown.update(lineOf(message, 200) ?? '');
        },
        stop: () => shown.stop(),
      };
    },
    openUrl: (url: unknown): Promise<void> =>
      until(async () => {
        await prompter.openUrl(webAddress(url));
      }),
  };
}

/** @throws Error unless it is an address of the web: anything else could start a program */
function webAddress(given: unknown): string {
  const url = typeof given === 'string' && given.length <= 4_000 ? URL.parse(given) : null;
  if (url === null || !/^https?:$/u.test(url.protocol))
    throw new Error('it wants to open something that is no http address');
  return url.href;
}

function messageOf(params: unknown): string {
  return fieldOf(params, 'message', 300) ?? '';
}

function optionsOf(params: unknown): readonly (SignInChoice & { readonly value: unknown })[] {
  return listOf(isRecord(params) ? params['options'] : undefined, 200)
    .filter(isRecord)
    .map(({ value, label, hint }) => ({
      value,
      label: lineOf(label, 120) ?? lineOf(value, 120) ?? '?',
      hint: lineOf(hint, 200),
    }));
}

function textOf(params: unknown): SignInText {
  const given = isRecord(params) ? params : {};
  const { validate } = given;
  return {
    message: messageOf(params),
    initialValue: fieldOf(params, 'initialValue', 4_000),
    placeholder: fieldOf(params, 'placeholder', 200),
    isSecret: given['sensitive'] === true,
    validate(value) {
      if (typeof validate !== 'function') return undefined;
      const problem: unknown = Reflect.apply(validate, undefined, [value]);
      return lineOf(problem, 200);
    },
  };
}

/** `ctx.oauth.createVpsAwareHandlers`: opens the page, or asks for what it ended with where the browser can't come back. */
function browserHandlers(params: unknown, wizard: Wizard): object {
  const prompt = (asked: unknown): Promise<string> => wizard.text(asked);
  const manual = fieldOf(params, 'manualPromptMessage', 300);
  const isRemote = isRecord(params) && params['isRemote'] === true;
  return {
    async onAuth(event: unknown): Promise<void> {
      await wizard.openUrl(isRecord(event) ? event['url'] : undefined);
    },
    onPrompt: (asked: unknown): Promise<string> =>
      prompt(
        isRemote && manual !== undefined ? { ...(isRecord(asked) ? asked : {}), message: manual } : asked,
      ),
  };
}

interface BrowserTrip {
  readonly prompter: SignInPrompter;
  readonly openUrl: (url: unknown) => Promise<void>;
  readonly clock: Clock;
  readonly secrets: SignInSecrets;
  readonly signal: AbortSignal;
}

/** `ctx.oauth.authorize`: the browser comes back to the editor with the code, within `timeoutMs` where the plugin names it. */
async function authorize(params: unknown, trip: BrowserTrip): Promise<{ code: string; state: string }> {
  throwIfAborted(trip.signal);
  const given = isRecord(params) ? params : {};
  const { state, buildAuthorizationUrl: build, timeoutMs } = given;
  if (typeof state !== 'string' || state.length < 8 || typeof build !== 'function')
    throw new Error('authorize needs a state of at least 8 characters and buildAuthorizationUrl');
  const addressOf = (back: string): unknown => Reflect.apply(build, given, [back]);
  const late = new AbortController();
  const isLimited = typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs < signInTimeoutMs;
  const stop = isLimited ? trip.clock.after(timeoutMs, () => late.abort()) : undefined;
  const signal = AbortSignal.any([trip.signal, late.signal]);
  try {
    return { code: await raceAbort(codeFromBrowser(state, addressOf, { ...trip, signal }), signal), state };
  } catch (error) {
    if (!late.signal.aborted) throw error;
    throw new Error(`the browser did not come back within ${String(timeoutMs)} ms`, { cause: error });
  } finally {
    stop?.();
    // Nobody waits for the browser any more.
    late.abort();
  }
}

async function codeFromBrowser(
  state: string,
  addressOf: (back: string) => unknown,
  { prompter, openUrl, secrets, signal }: BrowserTrip,
): Promise<string> {
  const isExpected = (answer: URL): boolean => answer.searchParams.get('state') === state;
  const { url, answered } = await prompter.redirect(isExpected, signal);
  answered.catch(() => undefined);
  throwIfAborted(signal);
  await openUrl(addressOf(url));
  const query = (await answered).searchParams;
  const problem = query.get('error_description') ?? query.get('error');
  if (problem !== null) throw new Error(`the service said: ${problem}`);
  const code = query.get('code');
  if (code === null) throw new Error('the browser came back without a code');
  secrets.add(code);
  return code;
}

/** Its first entries, each read once: methods of a plugin's list may be its own. */
function listOf(given: unknown, most: number): readonly unknown[] {
  if (!Array.isArray(given)) return [];
  const list: readonly unknown[] = given;
  return Array.from({ length: Math.min(list.length, most) }, (_, at) => list[at]);
}

function fieldOf(given: unknown, name: string, length: number): string | undefined {
  return isRecord(given) ? lineOf(given[name], length) : undefined;
}

function lineOf(value: unknown, length: number): string | undefined {
  const text = typeof value === 'string' ? inertLine(value, length).trim() : '';
  return text === '' ? undefined : text;
}
