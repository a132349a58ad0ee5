// Threat: a plugin asks for credentials in our name, keeps the sign-in open without end, or hands back anything at all. So its texts
// are shown as its own, on one line and bounded; whatever it opens is shown whole first; what it hands back is copied, checked and
// small; and a credential belongs to the plugin that got it, never to one that takes the id of its provider.
import { z } from 'zod';
import { cancelledError, raceAbort, throwIfAborted } from '../../base/abort.ts';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { inertLine } from '../../base/text.ts';
import { copyData } from '../../base/untrusted.ts';
import type { Clock } from '../../host/ports.ts';
import type { PluginProvider, SignInMethod } from './pluginProvider.ts';

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

export interface SignInText {
  readonly message: string;
  readonly initialValue: string | undefined;
  readonly placeholder: string | undefined;
  readonly isSecret: boolean;
  /** What is wrong with the text; undefined where nothing is. */
  readonly validate: (value: string) => string | undefined;
}

const credentialSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('api_key'), key: z.string().min(1) }),
  z.looseObject({ type: z.literal('token'), token: z.string().min(1), expires: z.number().optional() }),
  z.looseObject({ type: z.literal('oauth'), access: z.string().min(1), expires: z.number().optional() }),
]);

/** What a provider got for its user; `expires` is in milliseconds since 1970. */
export type ProviderCredential = z.infer<typeof credentialSchema>;

/** The longest credential that is kept. Characters of JSON. */
const maxCredential = 64 * 1024;

/** @throws Error that says what is wrong with it */
export function readCredential(given: unknown): ProviderCredential {
  const copied: unknown = JSON.parse(JSON.stringify(given ?? null));
  const { success, data } = credentialSchema.safeParse(copied);
  if (!success) throw new Error('it gave no credential (api_key, token or oauth)');
  if (JSON.stringify(data).length > maxCredential) throw new Error('its credential is longer than 64 KiB');
  return data;
}

/**
 * The ways to sign in that a provider offers, each field read once; of two with the same id the first counts.
 * @throws whatever reading the plugin's fields throws
 */
export function readSignIns(given: Readonly<Record<string, unknown>>): readonly SignInMethod[] {
  const { auth } = given;
  const listed: readonly unknown[] = Array.isArray(auth) ? auth.slice(0, 20) : [];
  const found = new Map<string, SignInMethod>();
  for (const each of listed) {
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

export interface SignedInResult {
  readonly credential: ProviderCredential;
  /** What the plugin wants its user to know, a line each. */
  readonly notes: readonly string[];
}

export interface SignInOptions {
  readonly methodId: string;
  readonly prompter: SignInPrompter;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** How long a sign-in may take in all: a page of another service may be slow, and its user, too. Milliseconds. */
const patienceMs = 15 * 60_000;

/**
 * Runs one of the provider's ways to sign in (OpenClaw, `ProviderAuthMethod.run`) and gives the credential of its first profile.
 * @throws PincerError `cancelled`, `plugin_sign_in_failed`
 */
export async function runSignIn(provider: PluginProvider, options: SignInOptions): Promise<SignedInResult> {
  const { methodId, clock, signal } = options;
  const method = provider.signIns.find(({ id }) => id === methodId);
  if (method === undefined) throw failed(provider, `it offers no way to sign in named ${methodId}`);
  const limit = new AbortController();
  const stop = clock.after(patienceMs, () => limit.abort());
  const both = AbortSignal.any([signal, limit.signal]);
  const work = async (): Promise<SignedInResult> => {
    const context = signInContext(provider, options, both);
    const result = await provider.call(`signing in to ${provider.id}`, () => method.run(context));
    throwIfAborted(both);
    return readResult(provider, result);
  };
  try {
    return await raceAbort(work(), both);
  } catch (error) {
    if (signal.aborted || (error instanceof PincerError && error.code === 'cancelled'))
      if (!limit.signal.aborted) throw cancelledError();
    throw failed(provider, limit.signal.aborted ? 'it took longer than 15 minutes' : errorMessage(error));
  } finally {
    stop();
    limit.abort();
  }
}

function readResult({ id }: PluginProvider, result: unknown): SignedInResult {
  const profiles: readonly unknown[] =
    isRecord(result) && Array.isArray(result['profiles']) ? result['profiles'] : [];
  const credentials = profiles.filter(isRecord).map(({ credential }) => credential);
  // A plugin of several providers may give credentials for all of them at once.
  const own = credentials.find((each) => isRecord(each) && each['provider'] === id) ?? credentials[0];
  const notes: readonly unknown[] =
    isRecord(result) && Array.isArray(result['notes']) ? result['notes'].slice(0, 5) : [];
  return {
    credential: readCredential(own),
    notes: notes.flatMap((note) => lineOf(note, 300) ?? []),
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
  { prompter, env, clock }: SignInOptions,
  signal: AbortSignal,
): object {
  const wizard = toWizard(prompter, signal);
  const { openUrl } = wizard;
  const tell = (text: unknown): void => context.logger.info(lineOf(text, 1_000) ?? '');
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
      authorize: (params: unknown) => authorize(params, { prompter, openUrl, clock, signal }),
    },
  };
}

type Wizard = ReturnType<typeof toWizard>;

/** OpenClaw's `WizardPrompter` over ours. What a plugin passes is anything. */
function toWizard(prompter: SignInPrompter, signal: AbortSignal) {
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
    text: (params: unknown): Promise<string> => until(() => prompter.text(textOf(params))),
    confirm: (params: unknown): Promise<boolean> => until(() => prompter.confirm(messageOf(params))),
    progress(label: unknown) {
      const shown = prompter.progress(lineOf(label, 200) ?? '');
      signal.addEventListener('abort', () => shown.stop(), { once: true });
      return {
        update: (message: unknown) => shown.update(lineOf(message, 200) ?? ''),
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
  const options: readonly unknown[] =
    isRecord(params) && Array.isArray(params['options']) ? params['options'].slice(0, 200) : [];
  return options.filter(isRecord).map(({ value, label, hint }) => ({
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
  readonly signal: AbortSignal;
}

/** `ctx.oauth.authorize`: the browser comes back to the editor with the code, within `timeoutMs` where the plugin names it. */
async function authorize(params: unknown, trip: BrowserTrip): Promise<{ code: string; state: string }> {
  const given = isRecord(params) ? params : {};
  const { state, buildAuthorizationUrl: build, timeoutMs } = given;
  if (typeof state !== 'string' || state.length < 8 || typeof build !== 'function')
    throw new Error('authorize needs a state of at least 8 characters and buildAuthorizationUrl');
  const addressOf = (back: string): unknown => Reflect.apply(build, given, [back]);
  const late = new AbortController();
  const isLimited = typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs < patienceMs;
  const stop = isLimited ? trip.clock.after(timeoutMs, () => late.abort()) : undefined;
  const signal = AbortSignal.any([trip.signal, late.signal]);
  try {
    return { code: await raceAbort(codeFromBrowser(state, addressOf, { ...trip, signal }), signal), state };
  } catch (error) {
    if (!late.signal.aborted) throw error;
    throw new Error(`the browser did not come back within ${String(timeoutMs)} ms`, { cause: error });
  } finally {
    stop?.();
  }
}

async function codeFromBrowser(
  state: string,
  addressOf: (back: string) => unknown,
  { prompter, openUrl, signal }: BrowserTrip,
): Promise<string> {
  const isExpected = (answer: URL): boolean => answer.searchParams.get('state') === state;
  const { url, answered } = await prompter.redirect(isExpected, signal);
  answered.catch(() => undefined);
  await openUrl(addressOf(url));
  const query = (await answered).searchParams;
  const problem = query.get('error_description') ?? query.get('error');
  if (problem !== null) throw new Error(`the service said: ${problem}`);
  const code = query.get('code');
  if (code === null) throw new Error('the browser came back without a code');
  return code;
}

function fieldOf(given: unknown, name: string, length: number): string | undefined {
  return isRecord(given) ? lineOf(given[name], length) : undefined;
}

function lineOf(value: unknown, length: number): string | undefined {
  const text = typeof value === 'string' ? inertLine(value, length).trim() : '';
  return text === '' ? undefined : text;
}
