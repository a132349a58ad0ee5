import type { ModelApi } from '../library/modelErrors.ts';

export type { ModelApi };

/** A service or a program whose models can be asked: all that differs between them. */
export interface ProviderEntry {
  /** Its id in the config. */
  readonly id: string;
  readonly label: string;
  readonly api: ModelApi;
  /** Up to and including the version; undefined where only the user knows. */
  readonly baseUrl: string | undefined;
  readonly needsKey: boolean;
  /** The page where its users get a key. */
  readonly keyUrl?: string;
  /** The variable that its own tools read the key from. */
  readonly keyVariable?: string;
  /** Where it listens on this machine unless told otherwise. */
  readonly port?: number;
  /** How to start it, as a sentence. */
  readonly howToStart?: string;
}

/** The one table of them, in the order of the list that people pick from. */
export const providerCatalog: readonly ProviderEntry[] = [
  {
    id: 'openai',
    label: 'OpenAI',
    api: 'openai-compatible',
    baseUrl: 'https://api.openai.com/v1',
    needsKey: true,
    keyUrl: 'https://platform.openai.com/api-keys',
    keyVariable: 'OPENAI_API_KEY',
  },
  {
    id: 'anthropic',
    label: 'Anthropic',
    api: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    needsKey: true,
    keyUrl: 'https://console.anthropic.com/settings/keys',
    keyVariable: 'ANTHROPIC_API_KEY',
  },
  {
    id: 'google',
    label: 'Google Gemini',
    api: 'google',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    needsKey: true,
    keyUrl: 'https://aistudio.google.com/apikey',
    keyVariable: 'GEMINI_API_KEY',
  },
  {
    id: 'openrouter',
    label: 'OpenRouter',
    api: 'openai-compatible',
    baseUrl: 'https://openrouter.ai/api/v1',
    needsKey: true,
    keyUrl: 'https://openrouter.ai/settings/keys',
    keyVariable: 'OPENROUTER_API_KEY',
  },
  local('ollama', 'Ollama', 11_434, 'Start it with: ollama serve'),
  local('lm-studio', 'LM Studio', 1_234, 'Start LM Studio and switch its local server on.'),
  local('llama-server', 'llama-server', 8_080, 'Start it with: llama-server -m <model>'),
  local('vllm', 'vLLM', 8_000, 'Start it with: vllm serve <model>'),
];

/** What needs no row: any server of the commonest protocol. */
export const otherProvider: ProviderEntry = {
  id: 'other',
  label: 'Another OpenAI-compatible server',
  api: 'openai-compatible',
  baseUrl: undefined,
  needsKey: false,
};

/** Servers that people run on their own machine. */
export const localProviders: readonly (ProviderEntry & { readonly port: number })[] = providerCatalog.flatMap(
  (entry) => (entry.port === undefined ? [] : [{ ...entry, port: entry.port }]),
);

/** The row whose address this is, by host and port. */
export function providerOfUrl(baseUrl: string): ProviderEntry | undefined {
  const host = URL.parse(baseUrl)?.host.replace(/^(?:127\.0\.0\.1|\[::1\])(?=:)/u, 'localhost');
  return providerCatalog.find((entry) => entry.baseUrl !== undefined && new URL(entry.baseUrl).host === host);
}

function local(id: string, label: string, port: number, howToStart: string): ProviderEntry {
  const baseUrl = `http://localhost:${port}/v1`;
  return { id, label, api: 'openai-compatible', baseUrl, needsKey: false, port, howToStart };
}
