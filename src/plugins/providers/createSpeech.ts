// Threat: what an agent has said, and the keys of the user's config, go to a service that the user may not know of, and what comes back
// is played by their editor. So nothing of a provider is called before the user has agreed to it, to this plugin's, and to its settings
// where there are some; a workspace's config has no say, its plugins come last, and none of them stands in for one of the user's; the text
// goes without secrets and is limited. Audio is measured, then copied, and its own bytes say of what kind it is.
import { types } from 'node:util';
import { throwIfAborted } from '../../base/abort.ts';
import { PincerError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { inertLine } from '../../base/text.ts';
import type { GrantStore } from '../../approvals/createGrantStore.ts';
import type { TtsConfig } from '../../config/sections/ttsSection.ts';
import type { Clock } from '../../host/ports.ts';
import { createConfigRedactor } from '../manifest/createConfigRedactor.ts';
import { resolveConfigSecrets, type SecretSources } from '../manifest/resolveConfigSecrets.ts';
import type { PluginRecord } from '../pluginTypes.ts';
import { askHostProvider } from './askHostProvider.ts';
import type { HostProvider } from './pluginProvider.ts';
import { toSpokenText } from './toSpokenText.ts';

/** Whom the user is asked about before anything is sent. */
export interface SpeechQuestion {
  readonly plugin: Pick<PluginRecord, 'id' | 'name' | 'origin' | 'rootDir'>;
  readonly providerId: string;
  /** The provider's own word for itself, one line. */
  readonly label: string;
  /** True where the config has settings for it, keys as a rule: they go to it, too. */
  readonly getsSettings: boolean;
}

export interface SpokenAudio {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mimeType: AudioKind['mimeType'];
  /** Only the beginning of the text is spoken. */
  readonly isCut: boolean;
}

interface SpeakOptions {
  /** True where the user agrees; asked once for each provider of each plugin, and again when settings go to it for the first time. */
  readonly agree: (question: SpeechQuestion) => Promise<boolean>;
  /** Hears the label of the provider that is asked. */
  readonly asking: (label: string) => void;
  readonly signal: AbortSignal;
}

/** Answers read aloud by a speech provider of a plugin (OpenClaw documentation, Provider voice capabilities, Speech (TTS)). */
export interface Speech {
  /** True where a plugin that runs has registered a provider. */
  isThere(): boolean;
  /**
   * Audio of a markdown text; undefined where the user does not agree.
   * @throws PincerError `speech_provider_missing`, `speech_not_set_up`, `speech_nothing_to_say`, `plugin_provider_failed`, `cancelled`
   */
  speak(markdown: string, options: SpeakOptions): Promise<SpokenAudio | undefined>;
}

interface SpeechParts {
  /** Those of the user first. */
  readonly providers: () => readonly HostProvider[];
  readonly plugins: () => readonly PluginRecord[];
  readonly config: () => TtsConfig;
  /** Where the user's yes is kept, and can be taken back. */
  readonly grants: Pick<GrantStore, 'matches' | 'add'>;
  readonly secrets: SecretSources;
  readonly clock: Clock;
  readonly redact: (text: string) => string;
}

/** The `toolName` of the grants: no tool can have it. A yes to the settings is one to the words, too. */
const grantNames = { words: 'read aloud', wordsAndSettings: 'read aloud with settings' } as const;
const defaultTimeoutMs = 30_000;
/** What a provider may ask for by itself. */
const maxTimeoutMs = 120_000;
/** Of one answer's audio: an hour of speech as mp3. */
const maxBytes = 10_000_000;

export function createSpeech(parts: SpeechParts): Speech {
  const { plugins, config, grants, clock } = parts;
  /** Of those with the same id the first alone: settings are kept by id, and are no other's. */
  const all = (): readonly HostProvider[] => {
    const found = parts.providers().filter(({ kind }) => kind === 'speech provider');
    return found.filter(({ id }, at) => found.findIndex((other) => other.id === id) === at);
  };
  const agreed = async ({ provider, own }: Settings, agree: SpeakOptions['agree']): Promise<boolean> => {
    const plugin = plugins().find(({ id, status }) => id === provider.pluginId && status === 'loaded');
    if (plugin === undefined) throw missing(provider.id);
    const getsSettings = Object.keys(own).length > 0;
    // It holds for this folder's plugin: another one of the same id is asked about anew.
    const grant = { asker: plugin.id, target: provider.id, workspace: plugin.rootDir };
    const { words, wordsAndSettings } = grantNames;
    if (await grants.matches({ ...grant, toolName: wordsAndSettings })) return true;
    if (!getsSettings && (await grants.matches({ ...grant, toolName: words }))) return true;
    if (!(await agree({ plugin, providerId: provider.id, label: provider.label, getsSettings })))
      return false;
    await grants.add({ ...grant, toolName: getsSettings ? wordsAndSettings : words });
    return true;
  };
  /** The one that the config names, else the first that is set up; undefined where the user does not agree. */
  const choose = async ({ agree, signal }: SpeakOptions): Promise<ReadyProvider | undefined> => {
    const { provider: named } = config();
    const found = all().filter(({ id }) => named === undefined || id === named);
    const [first] = found;
    if (first === undefined) throw missing(named);
    for (const provider of found) {
      const settings = await settingsOf(parts, provider);
      if (!(await agreed(settings, agree))) return undefined;
      throwIfAborted(signal);
      const ready = await prepare(parts, settings, signal);
      if (ready !== undefined) return ready;
    }
    throw notSetUp(first);
  };

  return {
    isThere: () => all().length > 0,
    async speak(markdown, options) {
      const { asking, signal } = options;
      const { text, isCut } = toSpokenText(parts.redact(markdown), config().maxTextLength);
      if (text === '')
        throw new PincerError('speech_nothing_to_say', 'This answer has nothing that can be read aloud.', {
          hint: 'Code is left out.',
        });
      const ready = await choose(options);
      if (ready === undefined) return undefined;
      asking(ready.provider.label);
      const { provider, providerConfig, timeoutMs, redact } = ready;
      const asked = { clock, redact, signal, timeoutMs, hint: hintFor(provider) };
      const audio = await askHostProvider(provider, asked, async (signal) =>
        readAudio(
          await provider.run({
            text,
            cfg: provider.currentConfig(),
            providerConfig,
            target: 'audio-file',
            timeoutMs,
            signal,
          }),
        ),
      );
      return { ...audio, isCut };
    },
  };
}

/** A provider that is set up. */
interface ReadyProvider {
  readonly provider: HostProvider;
  /** Its settings: what the config says, with keys, and as `resolveConfig` of the plugin has made them. */
  readonly providerConfig: unknown;
  readonly timeoutMs: number;
  /** Takes the keys of its settings out, too. */
  readonly redact: (text: string) => string;
}

/** What the user's config has for a provider. */
interface Settings {
  readonly provider: HostProvider;
  /** As they stand there. */
  readonly own: Readonly<Record<string, unknown>>;
  /** With keys. */
  readonly resolved: unknown;
  readonly keys: readonly string[];
}

/** Calls nothing of the plugin. @throws PincerError `speech_not_set_up` where a key is not there */
async function settingsOf(
  { config, secrets: sources }: SpeechParts,
  provider: HostProvider,
): Promise<Settings> {
  const { providers } = config();
  const own = (Object.hasOwn(providers, provider.id) ? providers[provider.id] : undefined) ?? {};
  const resolved = await resolveConfigSecrets(own, { sources, schema: {}, mayResolve: true });
  if (resolved.ok) return { provider, own, resolved: resolved.config, keys: resolved.values };
  throw new PincerError(
    'speech_not_set_up',
    `The speech provider "${provider.id}" of plugin "${provider.pluginId}" is not set up: ${resolved.problems.join('; ')}.`,
    { hint: `Change tts.providers.${provider.id} in your config.` },
  );
}

/** Undefined where the provider says that it is not set up. */
async function prepare(
  { config, clock, redact: redactAll }: SpeechParts,
  { provider, resolved, keys }: Settings,
  signal: AbortSignal,
): Promise<ReadyProvider | undefined> {
  const { providers: _, timeoutMs: said, ...tts } = config();
  const asked = Math.min(maxTimeoutMs, Math.max(1, provider.defaultTimeoutMs ?? defaultTimeoutMs));
  const timeoutMs = said ?? asked;
  const redactOwn = createConfigRedactor(keys);
  const redact = (text: string): string => redactOwn(redactAll(text));
  const options = { clock, redact, signal, timeoutMs, hint: hintFor(provider) };
  return await askHostProvider(provider, options, async () => {
    const { resolveConfig, isConfigured } = provider.more;
    const around = (): object => ({ cfg: provider.currentConfig(), timeoutMs });
    const rawConfig = { ...tts, providers: { [provider.id]: resolved } };
    const providerConfig =
      resolveConfig === undefined ? resolved : await resolveConfig({ ...around(), rawConfig });
    const isReady = isConfigured === undefined || (await isConfigured({ ...around(), providerConfig }));
    return Boolean(isReady) ? { provider, providerConfig, timeoutMs, redact } : undefined;
  });
}

interface AudioKind {
  readonly mimeType: 'audio/mpeg' | 'audio/wav' | 'audio/ogg' | 'audio/flac';
  readonly isIt: (bytes: Uint8Array) => boolean;
}

const has = (bytes: Uint8Array, at: number, word: string): boolean =>
  Buffer.from(bytes.subarray(at, at + word.length)).toString('latin1') === word;
/** The kinds that VS Code's guide to webviews says are played, by how they begin. */
const audioKinds: readonly AudioKind[] = [
  { mimeType: 'audio/wav', isIt: (bytes) => has(bytes, 0, 'RIFF') && has(bytes, 8, 'WAVE') },
  { mimeType: 'audio/ogg', isIt: (bytes) => has(bytes, 0, 'OggS') },
  { mimeType: 'audio/flac', isIt: (bytes) => has(bytes, 0, 'fLaC') },
  // A tag, or the first frame; the bits of the layer tell it from AAC.
  {
    mimeType: 'audio/mpeg',
    isIt: (bytes) =>
      has(bytes, 0, 'ID3') || (bytes[0] === 0xff && [0xe2, 0xe4, 0xe6].includes((bytes[1] ?? 0) & 0xe6)),
  },
];

const byteLength = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype) as object,
  'byteLength',
);

/** A copy of what a provider gave. @throws Error */
function readAudio(answer: unknown): Pick<SpokenAudio, 'bytes' | 'mimeType'> {
  const { audioBuffer, outputFormat } = isRecord(answer) ? answer : {};
  if (!types.isUint8Array(audioBuffer)) throw new Error('it gave no audio (audioBuffer is no Buffer)');
  // As the engine holds it: a getter or an iterator of the plugin's own has no say, and a proxy is no such array.
  const size = Number(byteLength?.get?.call(audioBuffer));
  if (size === 0) throw new Error('it gave audio without a sound');
  if (size > maxBytes)
    throw new Error(`it gave ${(size / 1e6).toFixed(1)} MB of audio, more than ${String(maxBytes / 1e6)}`);
  const bytes = new Uint8Array(audioBuffer);
  const kind = audioKinds.find(({ isIt }) => isIt(bytes));
  if (kind !== undefined) return { bytes, mimeType: kind.mimeType };
  const called = typeof outputFormat === 'string' ? ` (it calls it ${inertLine(outputFormat, 40)})` : '';
  throw new Error(`it gave audio that VS Code does not play${called}: mp3, wav, ogg and flac can be played`);
}

function hintFor({ id }: HostProvider): string {
  return `Look at the plugin, at tts.providers.${id} or at tts.provider in your config.`;
}

function missing(named: string | undefined): PincerError {
  return named === undefined
    ? new PincerError('speech_provider_missing', 'No plugin that runs can read aloud.', {
        hint: 'Enable a plugin that registers a speech provider.',
      })
    : new PincerError(
        'speech_provider_missing',
        `No plugin that runs has registered the speech provider "${inertLine(named, 80)}".`,
        { hint: 'Enable the plugin, or change tts.provider in your config.' },
      );
}

function notSetUp({ id, pluginId }: HostProvider): PincerError {
  return new PincerError(
    'speech_not_set_up',
    `The speech provider "${id}" of plugin "${pluginId}" is not set up: it may lack a key.`,
    {
      hint: `See what the plugin needs; its settings are plugins.entries.${pluginId}.config and tts.providers.${id}.`,
    },
  );
}
