import { describe, expect, it } from 'vitest';
import { isRecord } from '../src/base/json.ts';
import {
  createChannelRuntime,
  type ChannelRuntimeDeps,
} from '../src/channels/runtime/createChannelRuntime.ts';
import { configJsonSchema } from '../src/config/configSchema.ts';
import { hookNames } from '../src/hooks/hookCatalog.ts';
import { absentMethods, absentRuntime, listedMethods } from '../src/plugins/listed/listedMethods.ts';
import { apiMethods } from '../src/plugins/openclaw/apiMethods.ts';
import { createApiRuntime } from '../src/plugins/openclaw/runtime/createApiRuntime.ts';
import { systemClock } from '../src/host/node/systemClock.ts';
import { readConformanceDocs, renderConformance } from './conformance.ts';
import { breakable, hasTest, kinds, readNames, readTable } from './conformanceTable.ts';

const table = await readTable();
/** Why a row is wrong reads best as the name that has none: set it in test/conformance/table.json, then npm run conformance. */
const works = (kind: (typeof kinds)[number], name: string): boolean | undefined => {
  const row = Object.hasOwn(table[kind], name) ? table[kind][name] : undefined;
  return row === undefined ? undefined : 'test' in row;
};

describe('the table of conformance', () => {
  it('has a row for every method, and calls none working that has no effect', () => {
    const inert = (name: string): boolean => Object.hasOwn(listedMethods, name);
    const wrong = Object.keys(apiMethods).filter((name) => works('method', name) !== !inert(name));
    const absent = [...absentMethods].filter(
      (name) => !Object.hasOwn(apiMethods, name) && works('method', name) !== false,
    );
    expect([...wrong, ...absent]).toEqual([]);
  });

  it('has a row for every hook, and calls all of them working', () => {
    expect(hookNames.filter((hook) => works('hook', hook) !== true)).toEqual([]);
  });

  it('has a row for every member of api.runtime, and calls none working that is absent', () => {
    const found = runtimeMembers();
    expect(found.filter((name) => works('runtime', name) === undefined)).toEqual([]);
    const working = Object.keys(table.runtime).filter((name) => works('runtime', name) === true);
    expect(working.filter((name) => !found.includes(name))).toEqual([]);
    expect(found.filter((name) => Object.hasOwn(absentRuntime, name))).toEqual([]);
  });

  it('calls every key of the configuration working that the schema knows, and no other', async () => {
    const { config } = await readNames();
    const ours = schemaKeys(configJsonSchema(), '');
    const isOurs = (name: string): boolean => {
      const parts = name.split('.');
      const matches = (part: string, index: number): boolean => part === '*' || part === parts[index];
      return ours.some((key) => key.split('.').length === parts.length && key.split('.').every(matches));
    };
    const known = ours.filter((key) => config.includes(key) && !uncounted.has(key));
    expect(known.filter((key) => works('config', key) !== true)).toEqual([]);
    const working = Object.keys(table.config).filter((name) => works('config', name) === true);
    expect(working.filter((name) => !isOurs(name))).toEqual([]);
  });

  it('has a row for every name of the seeds and of upstream', async () => {
    const names = await readNames();
    const missing = kinds.flatMap((kind) => names[kind].filter((name) => works(kind, name) === undefined));
    expect(missing).toEqual([]);
  });

  it('names tests that exist', async () => {
    const rows = kinds
      .flatMap((kind) => Object.values(table[kind]))
      .flatMap((row) => ('test' in row ? [row.test] : []));
    const found = await Promise.all(
      rows.map(async (test) => ((await hasTest(test)) ? [] : [test.join(': ')])),
    );
    expect(found.flat()).toEqual([]);
    expect(breakable(table).length).toBeGreaterThan(60);
  });

  it('is what docs/conformance.md says', async () => {
    expect(await readConformanceDocs()).toBe(await renderConformance(table));
  });
});

/** Keys that a file may have and that change nothing, and parts whose keys have a document of their own. */
const uncounted: ReadonlySet<string> = new Set(['$schema', 'groups.*.tools', 'cron', 'gateway', 'mcp']);

/** Every path in a JSON Schema, parts with keys of their own included; `*` is any id, or any element of a list. */
function schemaKeys(schema: unknown, path: string): readonly string[] {
  if (!isRecord(schema)) return [];
  const below = (key: string, value: unknown): readonly string[] => {
    const at = path === '' ? key : `${path}.${key}`;
    return [at, ...schemaKeys(value, at)];
  };
  const { properties, additionalProperties, items, anyOf } = schema;
  return [
    ...Object.entries(isRecord(properties) ? properties : {}).flatMap(([key, value]) => below(key, value)),
    ...[additionalProperties, items].flatMap((value) => (isRecord(value) ? below('*', value) : [])),
    ...(Array.isArray(anyOf) ? anyOf.flatMap((value) => schemaKeys(value, path)) : []),
  ];
}

function membersBelow(path: string, group: object): readonly string[] {
  return Object.entries(group).flatMap(([name, member]: [string, unknown]) => {
    const below = `${path}${name}`;
    // It has the same members as `channel.inbound`.
    return isRecord(member) && below !== 'channel.turn' ? membersBelow(`${below}.`, member) : [below];
  });
}

function runtimeMembers(): readonly string[] {
  const nothing = (): undefined => undefined;
  const runtime = createApiRuntime({
    ...{
      pluginId: 'p',
      stateDir: '/none',
      workspaceDir: () => undefined,
      homeDir: '/none',
      clock: systemClock,
      currentConfig: () => ({}),
    },
    logger: { debug: nothing, info: nothing, warn: nothing, error: nothing },
    ...{
      assertLoaded: nothing,
      noteAbsent: nothing,
      noteIdle: nothing,
      heartbeat: { request: () => undefined, runOnce: () => Promise.resolve() },
      enqueueSystemEvent: () => false,
    },
    events: { onAgentEvent: () => nothing, onSessionTranscriptUpdate: () => nothing },
    webSearch: { plan: () => Promise.reject(new Error('unused')), providers: () => [] },
    // Only its names are looked at.
    channels: () => createChannelRuntime({ core: {} } as ChannelRuntimeDeps),
  });
  return membersBelow('', runtime);
}
