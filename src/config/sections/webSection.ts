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
  resolve: (said) => ({
    fetch: {
      enabled: said?.fetch?.enabled ?? true,
      allowHosts: said?.fetch?.allowHosts ?? [],
      denyHosts: said?.fetch?.denyHosts ?? [],
      maxChars: said?.fetch?.maxChars ?? 50_000,
      maxBytes: said?.fetch?.maxBytes ?? 2_000_000,
      timeoutMs: said?.fetch?.timeoutMs ?? 30_000,
      allowProxy: said?.fetch?.allowProxy ?? false,
      provider: said?.fetch?.provider,
    },
    search:
      said?.search === undefined
        ? undefined
        : {
            provider: said.search.provider,
            baseUrl: said.search.baseUrl,
            apiKey: said.search.apiKey,
            count: said.search.count ?? 5,
          },
  }),
  tighten: (holds, said) => ({ ...holds, fetch: tightenFetch(holds.fetch, said.fetch ?? {}) }),
  ignored: (said, holds) =>
    keysWhere({
      'tools.web.fetch.enabled: true': said.fetch?.enabled === true && !holds.fetch.enabled,
      'tools.web.fetch.allowHosts beyond your own': addsTo(holds.fetch.allowHosts, said.fetch?.allowHosts),
      'tools.web.fetch.allowProxy: true': said.fetch?.allowProxy === true,
      'tools.web.fetch.provider': said.fetch?.provider !== undefined,
      'tools.web.search': said.search !== undefined,
    }),
};

function tightenFetch(holds: WebFetchConfig, said: FetchSaid): WebFetchConfig {
  return {
    enabled: holds.enabled && said.enabled !== false,
    allowHosts: shared(holds.allowHosts, said.allowHosts),
    denyHosts: [...holds.denyHosts, ...(said.denyHosts ?? [])],
    maxChars: Math.min(holds.maxChars, said.maxChars ?? holds.maxChars),
    maxBytes: Math.min(holds.maxBytes, said.maxBytes ?? holds.maxBytes),
    timeoutMs: Math.min(holds.timeoutMs, said.timeoutMs ?? holds.timeoutMs),
    allowProxy: holds.allowProxy && said.allowProxy !== false,
    provider: holds.provider,
  };
}
