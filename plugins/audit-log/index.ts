import { join } from 'node:path';
import type { OpenClawPluginApi } from 'openclaw/plugin-sdk';
import { auditTable } from './auditTable.ts';
import { createAuditStore, type AuditEntry } from './createAuditStore.ts';
import { describeParams, describeResult } from './describeCall.ts';

interface AuditConfig {
  readonly contents: boolean;
  readonly keepDays: number;
  readonly maxFileMegabytes: number;
  readonly maxTotalMegabytes: number;
}

/** Before all others: what the model asked for counts, even where a plugin changes or blocks it. */
const first = { priority: Number.MAX_VALUE };

const defaultCount = 20;
const maxCount = 200;
const megabyte = 1_000_000;

export default {
  id: 'audit-log',
  register(api: OpenClawPluginApi): void {
    // The manifest's configSchema guarantees the shape and fills in the defaults.
    const config = api.pluginConfig as unknown as AuditConfig;
    const folder = join(api.runtime.state.resolveStateDir(), 'log');
    const store = createAuditStore({
      folder,
      keepDays: config.keepDays,
      maxFileBytes: config.maxFileMegabytes * megabyte,
      maxTotalBytes: config.maxTotalMegabytes * megabyte,
      now: () => Date.now(),
      onBroken: (error) =>
        api.logger.warn(
          `the audit log can't be written to ${folder}: ${String(error)}. Calls go on; it is tried again.`,
        ),
    });
    // A handler of before_tool_call that throws would block the call, and an audit must not.
    const record = (kind: string, describe: () => Omit<AuditEntry, 'time' | 'kind'>): void => {
      try {
        store.append({ time: new Date().toISOString(), kind, ...describe() });
      } catch (error) {
        api.logger.warn(`an entry of kind ${kind} could not be made: ${String(error)}`);
      }
    };

    api.on(
      'before_tool_call',
      (event, context) => {
        record('tool_call', () => ({
          ...idsOf(event, context),
          tool: event.toolName,
          ...describeParams(event.params, config.contents),
        }));
        return undefined;
      },
      first,
    );
    api.on('after_tool_call', (event, context) => {
      record('tool_result', () => ({
        ...idsOf(event, context),
        tool: event.toolName,
        ...describeParams(event.params, config.contents),
        ...describeResult(event, config.contents),
        durationMs: event.durationMs,
      }));
    });
    api.on('agent_end', ({ success, error, durationMs }, { sessionId, runId }) => {
      const outcome = success ? 'completed' : error === 'blocked' || error === 'cancelled' ? error : 'failed';
      record('run_end', () => ({ session: sessionId, run: runId, outcome, durationMs }));
    });
    api.on('session_start', ({ sessionId, resumedFrom }) => {
      record('session_start', () => ({
        session: sessionId,
        outcome: resumedFrom === undefined ? 'new' : 'resumed',
      }));
    });
    api.on('session_end', ({ sessionId, reason, messageCount, durationMs }) => {
      record('session_end', () => ({ session: sessionId, outcome: reason, messageCount, durationMs }));
    });

    api.on('gateway_stop', () => store.flush());
    api.registerService({ id: 'audit-log', start: () => undefined, stop: () => store.flush() });
    api.registerCommand({
      name: 'audit',
      description: 'Show the last entries of the audit log.',
      acceptsArgs: true,
      handler: async ({ args }) => {
        const count = args === undefined ? defaultCount : Number(args.trim());
        if (!Number.isInteger(count) || count < 1 || count > maxCount) {
          return { text: `How many entries? Give a number from 1 to ${maxCount}, such as \`/audit 50\`.` };
        }
        return { text: `${auditTable(await store.tail(count))}\n\nKept in \`${folder}\`.` };
      },
    });
  },
};

interface Ids {
  readonly session: string | undefined;
  readonly run: string | undefined;
  readonly call: string | undefined;
}

function idsOf(
  { runId, toolCallId }: { readonly runId?: string; readonly toolCallId?: string },
  { sessionId }: { readonly sessionId?: string },
): Ids {
  return { session: sessionId, run: runId, call: toolCallId };
}
