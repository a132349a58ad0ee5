// Threat: what an agent has said goes to a service that the user may not know of, and what comes back is played by their editor. So
// nothing is sent before the user has agreed to this provider of this plugin; a workspace's config has no say and its plugins come last;
// the text goes without secrets and is limited. Audio is copied and limited, and its own bytes say of what kind it is.
import { throwIfAborted } from '../../base/abort.ts';
import { PincerError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { inertLine } from '../../base/text.ts';
import type { GrantStore } from '../../approvals/createGrantStore.ts';
import type { TtsConfig } from '../../config/sections/ttsSection.ts';
import type { Clock } from '../../host/ports.ts';
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
}

export interface SpokenAudio {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mimeType: AudioKind['mimeType'];
  /** Only the beginning of the text is spoken. */
  readonly isCut: boolean;
}

export interface SpeakOptions {
  /** True where the user agrees; asked once for each provider of each plugin. */
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

export interface SpeechParts {
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

/** The `toolName` of the grants: no tool can have it. */
const grantName = 'read aloud';
const defaultTimeoutMs = 30_000;
/** What a provider may ask for by itself. */
const mostTimeoutMs = 120_000;
/** Of one answer's audio: an hour of speech as mp3. */
const mostBytes = 10_000_000;

export function createSpeech(parts: SpeechParts): Speech {
  const { plugins, config, grants, clock } = parts;
  const all = (): readonly HostProvider[] =>
    parts.providers().filter(({ kind }) => kind === 'speech provider');

  /** The one that the config names, else the first that is set up. */
  const choose = async (signal: AbortSignal): Promise<ReadyProvider> => {
    const { provider: named } = config();
    const found = all().filter(({ id }) => named === undefined || id === named);
    const [first] = found;
    if (first === undefined) throw missing(named);
    for (const provider of named === undefined ? found : [first]) {
      const ready = await prepare(parts, provider, signal);
      if (ready !== undefined) return ready;
    }
    throw notSetUp(first);
  };
  const agreed = async ({ provider }: ReadyProvider, agree: SpeakOptions['agree']): Promise<boolean> => {
    const plugin = plugins().find(({ id, status }) => id === provider.pluginId && status === 'loaded');
    if (plugin === undefined) throw missing(provider.id);
    // It holds for this folder's plugin: another one of the same id is asked about anew.
    const grant = {
      toolName: grantName,
      asker: plugin.id,
      target: provider.id,
      workspace: plugin.rootDir,
    };
    if (await grants.matches(grant)) return true;
    if (!(await agree({ plugin, providerId: provider.id, label: provider.label }))) return false;
    await grants.add(grant);
    return true;
  };

  return {
    isThere: () => all().length > 0,
    async speak(markdown, { agree, asking, signal }) {
      const { text, isCut } = toSpokenText(parts.redact(markdown), config().maxTextLength);
      if (text === '')
        throw new PincerError('speech_nothing_to_say', 'This answer has nothing that can be read aloud.', {
          hint: 'Code is left out.',
        });
      const ready = await choose(signal);
      if (!(await agreed(ready, agree))) return undefined;
      throwIfAborted(signal);
      asking(ready.provider.label);
      const { provider, providerConfig, timeoutMs, redact } = ready;
      const options = { clock, redact, signal, timeoutMs, hint: hintFor(provider) };
      const audio = await askHostProvider(provider, options, async (signal) =>
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

/** Undefined where the provider says that it is not set up. */
async function prepare(
  parts: SpeechParts,
  provider: HostProvider,
  signal: AbortSignal,
): Promise<ReadyProvider | undefined> {
  const { clock, secrets: sources } = parts;
  const { providers, timeoutMs: said, ...tts } = parts.config();
  const asked = Math.min(mostTimeoutMs, Math.max(1, provider.defaultTimeoutMs ?? defaultTimeoutMs));
  const timeoutMs = said ?? asked;
  const own = Object.hasOwn(providers, provider.id) ? providers[provider.id] : {};
  const resolved = await resolveConfigSecrets(own, { sources, schema: {}, mayResolve: true });
  if (!resolved.ok)
    throw new PincerError(
      'speech_not_set_up',
      `The speech provider "${provider.id}" of plugin "${provider.pluginId}" is not set up: ${resolved.problems.join('; ')}.`,
      { hint: `Change tts.providers.${provider.id} in your config.` },
    );
  const redact = (text: string): string =>
    resolved.values.reduce((rest, value) => rest.replaceAll(value, '[key removed]'), parts.redact(text));
  const options = { clock, redact, signal, timeoutMs, hint: hintFor(provider) };
  return await askHostProvider(provider, options, async () => {
    const { resolveConfig, isConfigured } = provider.more;
    const around = (): object => ({ cfg: provider.currentConfig(), timeoutMs });
    const rawConfig = { ...tts, providers: { [provider.id]: resolved.config } };
    const providerConfig =
      resolveConfig === undefined ? resolved.config : await resolveConfig({ ...around(), rawConfig });
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

/** A copy of what a provider gave. @throws Error */
function readAudio(answer: unknown): Pick<SpokenAudio, 'bytes' | 'mimeType'> {
  const { audioBuffer, outputFormat } = isRecord(answer) ? answer : {};
  if (!(audioBuffer instanceof Uint8Array)) throw new Error('it gave no audio (audioBuffer is no Buffer)');
  const bytes = new Uint8Array(audioBuffer);
  if (bytes.length === 0) throw new Error('it gave audio without a sound');
  if (bytes.length > mostBytes)
    throw new Error(
      `it gave ${(bytes.length / 1e6).toFixed(1)} MB of audio, more than ${String(mostBytes / 1e6)}`,
    );
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
