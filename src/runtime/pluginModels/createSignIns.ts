// Threat: a workspace's plugin takes the id of a provider that the user has signed in to, and reads the token. So a credential is kept
// under the plugin that got it, a workspace's one under its folder, too, and is handed to that plugin's functions alone.
// No message and no log line that comes from there tells it.
import { createHash } from 'node:crypto';
import { cancelledError } from '../../base/abort.ts';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { createEmitter, type Emitter, type Event } from '../../base/event.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import { redactKeys } from '../../base/secrets/redactKeys.ts';
import { inertLine } from '../../base/text.ts';
import { copyData } from '../../base/untrusted.ts';
import type { Host } from '../../host/ports.ts';
import { modelFailure } from '../../models/modelFailure.ts';
import { createConfigRedactor } from '../../plugins/manifest/createConfigRedactor.ts';
import type { PluginProvider, SignInMethod } from '../../plugins/providers/pluginProvider.ts';
import { readCredential, type ProviderCredential } from '../../plugins/providers/providerCredential.ts';
import {
  runSignIn,
  type SignInPrompter,
  type SignInSecrets,
} from '../../plugins/providers/providerSignIn.ts';
import { withDeadline } from '../../plugins/withDeadline.ts';

/** A provider of a loaded plugin that its user can sign in to. */
interface SignInOffer {
  /** Names provider and plugin; stays the same over loads. */
  readonly id: string;
  readonly label: string;
  readonly pluginId: string;
  readonly isOfWorkspace: boolean;
  readonly methods: readonly Omit<SignInMethod, 'run'>[];
}

/** Who is signed in. */
interface SignedIn {
  /** Of the offer. */
  readonly id: string;
  /** What the provider calls itself. */
  readonly provider: string;
  /** What the credential says of its owner, such as an e-mail address; else the provider's label. */
  readonly account: string;
}

/** Signing in to the providers of plugins (OpenClaw, Provider plugins: `auth`). Credentials are in the host's secrets. */
export interface SignIns {
  /** Fires when the user has signed in or out. */
  readonly onDidChange: Event<void>;
  offers(): readonly SignInOffer[];
  /** Those of the offers of now. */
  accounts(): Promise<readonly SignedIn[]>;
  /**
   * Gives who is signed in, and what the plugin wants its user to know.
   * @throws PincerError `sign_in_unknown`, `cancelled`, `plugin_sign_in_failed`
   */
  signIn(
    id: string,
    methodId: string,
    prompter: SignInPrompter,
    signal: AbortSignal,
  ): Promise<SignedIn & { readonly notes: readonly string[] }>;
  /** Forgets the credential; nothing happens where there is none. */
  signOut(id: string): Promise<void>;
}

/** What the models of plugins need of them. */
export interface SignInKeys {
  /**
   * The key of a provider that its user is signed in to, renewed where it has run out; undefined where they are not.
   * @throws PincerError `model_no_key` where it can't be renewed
   */
  keyOf(provider: PluginProvider): Promise<string | undefined>;
  /** Takes keys, tokens and what else the credentials hold out of a text. */
  redact(text: string): string;
}

interface SignInParts {
  readonly providers: () => readonly PluginProvider[];
  readonly host: Pick<Host, 'clock' | 'env' | 'secrets'>;
  /** Called when the user has signed in to it or out; must not reject. */
  readonly changed: (provider: PluginProvider) => Promise<void>;
}

/** A key that runs out this soon is renewed before it is used. Milliseconds. */
const renewBeforeMs = 60_000;
/** How long renewing may take. Milliseconds. */
const refreshMs = 30_000;

export function createSignIns({
  providers,
  host,
  changed: providerChanged,
}: SignInParts): SignIns & SignInKeys {
  const { clock, env, secrets } = host;
  const changed: Emitter<void> = createEmitter();
  const hidden = createHidden();
  /** By the secret's name and what is renewed: two models that answer at once renew it once. */
  const renewing = new Map<string, Promise<ProviderCredential>>();

  const offered = (): readonly PluginProvider[] =>
    providers().filter((provider) => provider.signIns.length > 0);
  const find = (id: string): PluginProvider | undefined =>
    offered().find((provider) => secretOf(provider) === id);
  const findNamed = (id: string): PluginProvider => {
    const found = find(id);
    if (found !== undefined) return found;
    throw new PincerError('sign_in_unknown', 'The plugin of this sign-in is not loaded.', {
      hint: 'Look at it in the Plugins view.',
    });
  };
  const read = async (name: string): Promise<ProviderCredential | undefined> => {
    const text = await secrets.get(name);
    const credential = text === undefined ? undefined : readKept(text);
    if (credential !== undefined) hidden.of(name).add(credential);
    return credential;
  };
  /** Counts up as the user signs in or out. */
  const changes = new Map<string, number>();
  const countChange = (name: string): void => void changes.set(name, (changes.get(name) ?? 0) + 1);

  const renew = async (provider: PluginProvider, old: ProviderCredential): Promise<ProviderCredential> => {
    const name = secretOf(provider);
    const before = changes.get(name);
    const refresh = provider.given['refreshOAuth'];
    const again = 'Run “Pincer: Sign In to Model Provider…”.';
    if (typeof refresh !== 'function')
      throw modelFailure('model_no_key', `The sign-in to ${provider.label} has expired.`, { hint: again });
    try {
      const asked = provider.call(`renewing the sign-in to ${provider.id}`, () =>
        Promise.resolve(Reflect.apply(refresh, provider.given, [copyData(old)]) as unknown),
      );
      const renewed = readCredential(await withDeadline(asked, refreshMs, clock));
      hidden.of(name).add(renewed);
      // Signed out meanwhile: it must not come back. Signed in anew, or renewed by another window: that counts.
      const now = await read(name);
      if (JSON.stringify(now) !== JSON.stringify(old)) return now ?? renewed;
      if (changes.get(name) === before) await secrets.set(name, JSON.stringify(renewed));
      return renewed;
    } catch (error) {
      // A token for renewing counts once: another window may just have used it.
      const now = await read(name);
      if (now !== undefined && !isRunningOut(now, clock.now())) return now;
      const reason = inertLine(hidden.redact(errorMessage(error)), 300);
      throw modelFailure(
        'model_no_key',
        `The sign-in to ${provider.label} could not be renewed: ${reason}.`,
        {
          hint: again,
        },
      );
    }
  };

  return {
    onDidChange: changed.event,
    offers: () =>
      offered().map((provider) => ({
        id: secretOf(provider),
        label: inertLine(provider.label, 80),
        pluginId: provider.pluginId,
        isOfWorkspace: provider.from.origin === 'workspace',
        methods: provider.signIns,
      })),
    async accounts() {
      const found = await Promise.all(
        offered().map(async (provider) => {
          const credential = await read(secretOf(provider));
          return credential === undefined ? [] : [signedIn(provider, credential)];
        }),
      );
      return found.flat();
    },
    async signIn(id, methodId, prompter, signal) {
      const provider = findNamed(id);
      const options = { methodId, prompter, clock, env, secrets: hidden.of(id), signal };
      const { credential, notes } = await runSignIn(provider, options);
      if (signal.aborted) throw cancelledError();
      countChange(id);
      await secrets.set(id, JSON.stringify(credential));
      await providerChanged(provider);
      changed.fire();
      return { ...signedIn(provider, credential), notes };
    },
    async signOut(id) {
      countChange(id);
      await secrets.delete(id);
      const provider = find(id);
      if (provider !== undefined) await providerChanged(provider);
      changed.fire();
    },
    async keyOf(provider) {
      if (provider.signIns.length === 0) return undefined;
      const name = secretOf(provider);
      let credential = await read(name);
      if (credential === undefined) return undefined;
      if (isRunningOut(credential, clock.now())) {
        const what = `${name} ${JSON.stringify(credential)}`;
        const running = renewing.get(what) ?? renew(provider, credential);
        renewing.set(what, running);
        try {
          credential = await running;
        } finally {
          renewing.delete(what);
        }
      }
      const key = keyFrom(provider, credential);
      hidden.of(name).add(key);
      return key;
    },
    redact: hidden.redact,
  };
}

/** A shorter text stands for too much else. Characters. */
const leastHidden = 8;
/** Texts that are kept of one sign-in, those of its last renewals among them. */
const maxHidden = 100;

/** What this process knows of credentials, by the secret's name. */
function createHidden() {
  const known = new Map<string, readonly string[]>();
  let redactKnown = createConfigRedactor([]);
  const redact = (text: string): string => redactKeys(redactKnown(text));
  const of = (name: string): SignInSecrets => ({
    add(data) {
      const before = known.get(name) ?? [];
      const found = textsOf(data).filter((text) => text.length >= leastHidden && !before.includes(text));
      if (found.length === 0) return;
      known.set(name, [...before, ...found].slice(-maxHidden));
      redactKnown = createConfigRedactor([...known.values()].flat());
    },
    redact,
  });
  return { of, redact };
}

/** Fields of a credential that are no secret: they name it. */
const publicFields: readonly string[] = ['type', 'provider', 'email', 'displayName'];

/** Texts of data, down to where the fields of a credential can be. */
function textsOf(data: unknown, depth = 0): readonly string[] {
  if (typeof data === 'string') return [data];
  if (!isRecord(data) || depth > 3) return [];
  const fields = Object.entries(data).filter(([name]) => depth > 0 || !publicFields.includes(name));
  return fields.flatMap(([, value]) => textsOf(value, depth + 1));
}

/** What can't be read, such as a newer version's, is as good as signed out: signing in again replaces it. */
function readKept(text: string): ProviderCredential | undefined {
  try {
    return readCredential(parseJson(text));
  } catch {
    return undefined;
  }
}

function isRunningOut(credential: ProviderCredential, now: number): boolean {
  return (
    credential.type !== 'api_key' &&
    credential.expires !== undefined &&
    credential.expires - renewBeforeMs < now
  );
}

/** The key as the provider wants it sent (`formatApiKey`), else the token itself. */
function keyFrom(provider: PluginProvider, credential: ProviderCredential): string {
  const format = provider.given['formatApiKey'];
  if (typeof format === 'function') {
    const key = provider.call(`the key of ${provider.id}`, (): unknown =>
      Reflect.apply(format, provider.given, [copyData(credential)]),
    );
    if (typeof key === 'string' && key !== '') return key;
    throw modelFailure(
      'model_no_key',
      `Plugin ${provider.pluginId} returned no key for the sign-in to ${provider.label}.`,
      { hint: 'Look at the plugin, or choose another model.' },
    );
  }
  switch (credential.type) {
    case 'api_key':
      return credential.key;
    case 'token':
      return credential.token;
    case 'oauth':
      return credential.access;
  }
}

function signedIn(provider: PluginProvider, credential: ProviderCredential): SignedIn {
  const named = [credential['email'], credential['displayName']].find(
    (each): each is string => typeof each === 'string' && each.trim() !== '',
  );
  return {
    id: secretOf(provider),
    provider: inertLine(provider.label, 80),
    account: inertLine(named ?? provider.label, 80),
  };
}

/** Names the secret, and with it the offer. */
function secretOf({ id, pluginId, from }: PluginProvider): string {
  const place = from.origin === 'workspace' ? from.rootDir : 'user';
  const hash = createHash('sha256')
    .update(JSON.stringify([place, pluginId, id]))
    .digest('hex');
  return `sign-in-${hash.slice(0, 32)}`;
}
