import { PincerError } from '../../base/errors.ts';
import { formatPriority } from '../../base/formatNumbers.ts';
import type { HookName } from '../../hooks/hookMap.ts';
import type { hookCatalog } from '../../hooks/hookCatalog.ts';
import type { OperatorHookRecord } from '../../plugins/operatorHooks/operatorHookTypes.ts';
import type { PluginRecord } from '../../plugins/pluginTypes.ts';
import type { RunTraces } from '../../traces/createRunTraces.ts';
import type { RunTrace } from '../../traces/runTrace.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { inertFact } from '../inert.ts';
import { toJson, toTable, type Output } from '../output.ts';
import { withRuntime, type CliOptions } from '../withRuntime.ts';

export interface TraceOptions {
  /** A run's id or a beginning of it; default the last run. */
  readonly run?: string;
}

/** `pincer hooks trace [--run <id>]`: what happened in the last run of the workspace, or in that one. */
export async function runHooksTrace(
  options: CliOptions,
  { run }: TraceOptions,
  output: Output,
): Promise<ExitCode> {
  return await withRuntime(options, output, async (runtime) => {
    const trace = await findTrace(runtime.turns.traces, run);
    output.out(options.json === true ? toJson(trace) : await toText(trace));
    return exitCodes.ok;
  });
}

async function findTrace(traces: RunTraces, run: string | undefined): Promise<RunTrace> {
  const found = run === undefined ? await traces.last() : await traces.get(run);
  if (found !== undefined) return found;
  if (run === undefined) {
    throw new PincerError('trace_unknown', 'There is no trace of a run in this workspace yet.', {
      hint: 'Send a message first: pincer agent "…"',
    });
  }
  const ids = (await traces.list()).slice(0, 5).map((trace) => trace.runId);
  throw new PincerError('trace_unknown', `There is no trace of a run ${run}, or several begin like this.`, {
    hint: ids.length === 0 ? 'No runs were traced here yet.' : `The newest are: ${ids.join(', ')}.`,
  });
}

async function toText(trace: RunTrace): Promise<string> {
  const { describeTrace } = await import('../../runtime/index.ts');
  const lines = describeTrace(trace).flatMap(({ title, details, depth }) => {
    const indent = '  '.repeat(depth);
    return [`${indent}${inertFact(title)}`, ...details.map((detail) => `${indent}    ${inertFact(detail)}`)];
  });
  return `Run ${inertFact(trace.runId)}, ${new Date(trace.startedAt).toISOString()}\n${lines.join('\n')}\n`;
}

/** One hook as `pincer hooks list --json` gives it. */
interface ListedHook {
  readonly hook: HookName;
  readonly kind: string;
  /** In the order they run; observers are asked together. */
  readonly listeners: readonly Listener[];
}

interface Listener {
  readonly pluginId: string;
  readonly priority: number;
  readonly timeoutMs: number | null;
  readonly only?: readonly string[];
}

/** `pincer hooks list`: every hook of the catalog and who listens to it, in the order they run. */
export async function runHooksList(options: CliOptions, output: Output): Promise<ExitCode> {
  return await withRuntime(options, output, async (runtime) => {
    const { hookCatalog, hookNames } = await import('../../runtime/index.ts');
    const hooks = listHooks(hookNames, hookCatalog, runtime.plugins.plugins());
    const operatorHooks = runtime.plugins.operatorHooks.list();
    if (options.json === true) {
      output.out(toJson({ hooks, operatorHooks }));
      return exitCodes.ok;
    }
    output.out(toTable(hooks.map((each) => [each.hook, each.kind, describeListeners(each)])));
    if (operatorHooks.length > 0) output.out('\nOperator hooks:\n');
    for (const each of operatorHooks) output.out(describeOperatorHook(each));
    return exitCodes.ok;
  });
}

/** Pure. */
export function listHooks(
  names: readonly HookName[],
  catalog: typeof hookCatalog,
  plugins: readonly PluginRecord[],
): readonly ListedHook[] {
  const all = plugins.flatMap(({ id, hooks }) => hooks.map((listing) => ({ pluginId: id, ...listing })));
  return names.map((hook) => {
    const { kind } = catalog[hook];
    const listeners = all
      .filter((each) => each.hook === hook)
      .sort((a, b) => a.position - b.position)
      .map(({ pluginId, priority, timeoutMs, only }) => ({
        ...{ pluginId, priority, timeoutMs },
        ...(only === undefined ? {} : { only }),
      }));
    return { hook, kind, listeners };
  });
}

function describeListeners({ listeners }: ListedHook): string {
  const who = listeners.map(
    ({ pluginId, priority, timeoutMs, only }) =>
      `${pluginId} (${only === undefined ? '' : `only ${inertFact(only.join(', '))}, `}${formatPriority(priority)}, ${timeoutMs === null ? 'no timeout' : `${String(timeoutMs)} ms`})`,
  );
  return who.join(', ') || '–';
}

/** `pincer hooks enable|disable <name>`. Succeeds where the hook is then loaded, or not loaded. */
export async function runHooksSwitch(
  options: CliOptions,
  name: string,
  isEnabled: boolean,
  output: Output,
): Promise<ExitCode> {
  return await withRuntime(options, output, async (runtime) => {
    const find = (): OperatorHookRecord | undefined =>
      runtime.plugins.operatorHooks.list().find((each) => each.name === name);
    const before = find();
    if (isEnabled && before?.needsConsent !== undefined) output.err(describeOperatorHook(before));
    await runtime.plugins.setHookEnabled(name, isEnabled, before?.needsConsent?.hash);
    const hook = find();
    if (options.json === true) output.out(toJson({ hook }));
    else if (hook !== undefined) output.out(describeOperatorHook(hook));
    return (hook?.status === 'loaded') === isEnabled ? exitCodes.ok : exitCodes.failed;
  });
}

function describeOperatorHook({
  name,
  origin,
  status,
  reason,
  events,
  needsConsent,
  source,
}: OperatorHookRecord): string {
  const consent =
    needsConsent === undefined
      ? []
      : [`  It comes with this workspace. Enabling it lets it run with your rights: ${inertFact(source)}`];
  const changed =
    needsConsent?.why === 'files-changed'
      ? [`  changed since you enabled it: ${inertFact(needsConsent.changedFiles.join(', '))}`]
      : [];
  const first = `${name} (${origin}): ${status}, ${reason}; ${events.join(', ')}`;
  return [inertFact(first), ...consent, ...changed, ''].join('\n');
}
