// Threat: a cloned repository opens the way to hosts of its choice, or sends searches to a server of its own. So a
// workspace's file names no host that would be allowed, no search service and no provider of a plugin.
import { z } from 'zod';
import { keyReference } from './keyReference.ts';
import { addsTo, keysWhere, shared, type ConfigSection, type ReadonlyDeep } from './section.ts';

const hosts = z.array(z.string().min(1));

export const webSchema = z.strictObject({
  fetch: z
    .strictObject({
      enabled: z.boolean().optional().describe('False disables web_fetch. Default true.'),
      allowHosts: hosts
        .optional()
        .describe(
          'Hosts that are fetched without asking: docs.python.org, or *.example.com for its subdomains.',
        ),
      denyHosts: hosts.optional().describe('Blocked hosts; overrides allowHosts.'),
      maxChars: z
        .int()
        .positive()
        .max(1_000_000)
        .optional()
        .describe('Maximum characters of a result. Default 50000.'),
      maxBytes: z
        .int()
        .positive()
        .max(10_000_000)
        .optional()
        .describe('Maximum bytes that are read, after decompression. Default 2000000, at most 10000000.'),
      timeoutMs: z.int().positive().max(600_000).optional().describe('Default 30000.'),
      provider: z
        .string()
        .min(1)
        .optional()
        .describe("Id of a plugin's fetch provider, for pages that can not be fetched directly."),
      allowProxy: z
        .boolean()
        .optional()
        .describe(
          'True uses the proxy of the environment; the address that it connects to can not be checked then.',
        ),
    })
    .optional()
    .describe('The web_fetch tool.'),
  search: z
    .strictObject({
      provider: z
        .string()
        .min(1)
        .describe(
          "searxng: your own server. brave: needs an API key. Or the id of a plugin's search provider.",
        ),
      baseUrl: z
        .url({ protocol: /^https?$/u })
        .optional()
        .describe('Address of the SearXNG server.'),
      apiKey: keyReference.optional(),
      count: z.int().positive().max(20).optional().describe('Number of results. Default 5.'),
    })
    .optional()
    .describe('The web_search tool; hidden until a provider is set.'),
});

type WebInput = z.infer<typeof webSchema>;
type FetchSaid = ReadonlyDeep<NonNullable<WebInput['fetch']>>;

interface WebFetchConfig {
  readonly enabled: boolean;
  /** Hosts that need no question. */
  readonly allowHosts: readonly string[];
  readonly denyHosts: readonly string[];
  readonly maxChars: number;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly allowProxy: boolean;
  /** The id that a plugin has registered; undefined where none is asked. */
  readonly provider: string | undefined;
}

interface WebSearchConfig {
  /** `searxng`, `brave`, or the id that a plugin has registered. */
  readonly provider: string;
  readonly baseUrl: string | undefined;
  readonly apiKey: z.infer<typeof keyReference> | undefined;
  readonly count: number;
}

export interface WebConfig {
  readonly fetch: WebFetchConfig;
  /** Undefined until a service is named. */
  readonly search: WebSearchConfig | undefined;
}

export const webSection: ConfigSection<WebInput, WebConfig> = {
  resolve: (input) => ({
    fetch: {
      enabled: input?.fetch?.enabled ?? true,
      allowHosts: input?.fetch?.allowHosts ?? [],
      denyHosts: input?.fetch?.denyHosts ?? [],
      maxChars: input?.fetch?.maxChars ?? 50_000,
      maxBytes: input?.fetch?.maxBytes ?? 2_000_000,
      timeoutMs: input?.fetch?.timeoutMs ?? 30_000,
      allowProxy: input?.fetch?.allowProxy ?? false,
      provider: input?.fetch?.provider,
    },
    search:
      input?.search === undefined
        ? undefined
        : {
            provider: input.search.provider,
            baseUrl: input.search.baseUrl,
            apiKey: input.search.apiKey,
            count: input.search.count ?? 5,
          },
  }),
  tighten: (holds, input) => ({ ...holds, fetch: tightenFetch(holds.fetch, input.fetch ?? {}) }),
  ignored: (input, holds) =>
    keysWhere({
      'tools.web.fetch.enabled': input.fetch?.enabled === true && !holds.fetch.enabled && ': true',
      'tools.web.fetch.allowHosts':
        addsTo(holds.fetch.allowHosts, input.fetch?.allowHosts) && ' beyond your own',
      'tools.web.fetch.allowProxy': input.fetch?.allowProxy === true && ': true',
      'tools.web.fetch.provider': input.fetch?.provider !== undefined,
      'tools.web.search': input.search !== undefined,
    }),
};

function tightenFetch(holds: WebFetchConfig, input: FetchSaid): WebFetchConfig {
  return {
    enabled: holds.enabled && input.enabled !== false,
    allowHosts: shared(holds.allowHosts, input.allowHosts),
    denyHosts: [...holds.denyHosts, ...(input.denyHosts ?? [])],
    maxChars: Math.min(holds.maxChars, input.maxChars ?? holds.maxChars),
    maxBytes: Math.min(holds.maxBytes, input.maxBytes ?? holds.maxBytes),
    timeoutMs: Math.min(holds.timeoutMs, input.timeoutMs ?? holds.timeoutMs),
    allowProxy: holds.allowProxy && input.allowProxy !== false,
    provider: holds.provider,
  };
}
