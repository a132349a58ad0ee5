// Threat: a plugin that can't be asked must not be a guard that is not there: what a blocking plugin does wrong stops the operation, what
// any other does wrong stops nothing. And log and trace outlive the turn: where plugins see the conversation, their errors are told
// without their words, and of a block nothing is told but whose it was and the codes of its notices.
import { nearestFirst } from '../base/nearestFirst.ts';
import { isThenable, ownPromise } from '../base/untrusted.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { Clock, Log } from '../host/ports.ts';
import { hookCatalog } from '../hooks/hookCatalog.ts';
import type {
  CallSignal,
  HandlerAnswer,
  HandlerFailure,
  HookRegistration,
} from '../hooks/hookRegistration.ts';
import type { HookTrace } from '../hooks/hookTrace.ts';
import type { PointContext, PointResult } from '../hooks/payloads/pointHooks.ts';
import type { ContextFactory } from './context/createContextFactory.ts';
import { createProfiles } from './createProfiles.ts';
import { DextoPluginError, type DextoErrorCode } from './dextoErrors.ts';
import { warnDiagnostic } from '../plugins/pluginDiagnostics.ts';
import { dextoIdPrefix, type ExecutionProfile } from '../plugins/pluginTypes.ts';
import { httpStatusOf } from './httpStatus.ts';
import type { LoadedPlugin } from './loadedPlugin.ts';
import type { ExtensionPoint, PluginNotice } from './dextoTypes.ts';
import type { AskedPlugin, PointFacts, PointNotice, PointStop, Verdict } from './pointFacts.ts';
import { pointRules } from './pointRules.ts';
import { readFault, type PluginFault } from './pluginFault.ts';
import { readPluginAnswer, readPluginError, type PluginAnswer } from './readPluginAnswer.ts';
import type { PluginSpan, PointTelemetry } from './telemetry/createOpenTelemetry.ts';

/** Makes a plugin's methods handlers of the hook runner. */
export interface DextoAdapter {
  /** One for each of its methods. */
  registrationsOf(plugin: LoadedPlugin): readonly HookRegistration[];
  /** Empty where it was not called yet. */
  profileOf(plugin: LoadedPlugin): ExecutionProfile;
}

export interface DextoAdapterParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly context: ContextFactory;
  readonly telemetry?: PointTelemetry;
  /** A plugin was asked. */
  readonly asked?: (facts: PointFacts) => void;
  readonly notice?: (notice: PointNotice) => void;
  /** It stopped something, or failed. */
  readonly stopped?: (stop: PointStop) => void;
  /** What its author should know; the same again and again. */
  readonly report?: (diagnostic: Diagnostic) => void;
  /** Its profile has changed. */
  readonly profiled?: (plugin: LoadedPlugin) => void;
}

/** A call that goes on: what is known of it when it ends. */
interface GoingCall {
  readonly span?: PluginSpan;
  answer?: PluginAnswer;
}

type Methods = Readonly<Record<ExtensionPoint, (payload: object, context: object) => unknown>>;

/** The Dexto dialect for the hook runner (Dexto plugin specification, Runtime Execution and Error Handling Pseudo-Code). */
export function createDextoAdapter(parts: DextoAdapterParts): DextoAdapter {
  const { clock, context, telemetry, asked, notice, stopped, report, profiled } = parts;
  const profiles = createProfiles();

  const registrationOf = (plugin: LoadedPlugin, point: ExtensionPoint): HookRegistration => {
    const calls = new WeakMap<CallSignal, GoingCall>();
    return {
      hook: point,
      pluginId: plugin.name,
      isAdapter: true,
      isForeign: true,
      band: pointRules[point].band,
      // Dexto's lower ones run first.
      priority: -plugin.priority,
      timeoutMs: plugin.timeoutMs,

      handler(payload: object, call: PointContext, signal: CallSignal) {
        const span = telemetry?.begin({ plugin, point, call });
        const going: GoingCall = span === undefined ? {} : { span };
        calls.set(signal, going);
        const ask = (): unknown =>
          (plugin.instance as Methods)[point](payload, context(call, plugin, signal.signal));
        const work = (): unknown => (plugin.call === undefined ? ask() : plugin.call(point, ask));
        const read = (value: unknown): PointResult | undefined => {
          going.answer = readPluginAnswer(value, point, plugin);
          return resultOf(going.answer, plugin);
        };
        const thrown = (error: unknown): PointResult | undefined => {
          if (!(error instanceof DextoPluginError)) throw error;
          going.answer = readPluginError(error, plugin);
          return resultOf(going.answer, plugin);
        };
        try {
          const value = span === undefined ? work() : span.run(work);
          return isThenable(value) ? ownPromise(value).then(read).catch(thrown) : read(value);
        } catch (error) {
          return thrown(error);
        }
      },

      onFailure: (failure) => (plugin.blocking ? { block: blockOf(plugin, point, failure) } : undefined),

      abortReason(why, cancel): unknown {
        if (why === 'cancelled') return cancel?.reason;
        const message = `The plugin ${plugin.name} took longer than ${plugin.timeoutMs} ms.`;
        const about = { plugin: plugin.name, extensionPoint: point };
        return new DextoPluginError(message, about, { type: 'PLUGIN_EXECUTION_TIMEOUT' });
      },

      ended(line, answer, signal) {
        const call = line.context as PointContext;
        const { span, answer: said } = calls.get(signal) ?? {};
        const verdict = verdictOf(plugin, line, answer, said);
        const { durationMs } = line;
        span?.end(verdict, durationMs);
        profiles.add(plugin, { point, durationMs, verdict, at: clock.now() });
        const told = mayBeToldOf(point, verdict);
        writeLog(parts.log, { plugin, point, call }, told, durationMs);
        if (told.code !== undefined && told.httpStatus !== undefined) {
          const { code, httpStatus, notices, message = told.error } = told;
          const words = message === undefined ? {} : { message };
          const isStopped = plugin.blocking;
          stopped?.({ point, pluginId: plugin.name, call, code, httpStatus, isStopped, notices, ...words });
        }
        for (const each of refusalsOf(plugin, point, told)) report?.(each);
        for (const each of told.notices) notice?.({ point, pluginId: plugin.name, call, notice: each });
        profiled?.(plugin);
        const traced = tracedOf(plugin, line, told);
        asked?.(factsOf(point, traced));
        return traced;
      },
    };
  };

  return {
    registrationsOf: (plugin) => plugin.points.map((point) => registrationOf(plugin, point)),
    profileOf: (plugin) => profiles.of(plugin),
  };
}

/** For the runner: nothing where the payload goes on as it is. */
function resultOf(
  { decision, modify, message, notices, code }: PluginAnswer,
  plugin: LoadedPlugin,
): PointResult | undefined {
  if (decision !== 'blocked') return modify === undefined ? undefined : { modify };
  const words = message ?? `The plugin ${plugin.name} stopped this.`;
  return {
    ...(modify === undefined ? {} : { modify }),
    block: { message: words, notices, ...stopOf(notices, code) },
  };
}

function stopOf(
  notices: readonly PluginNotice[],
  code: DextoErrorCode = 'PLUGIN_BLOCKED_EXECUTION',
): { readonly code: DextoErrorCode; readonly httpStatus: number } {
  return { code, httpStatus: code === 'PLUGIN_BLOCKED_EXECUTION' ? httpStatusOf(notices) : 500 };
}

/** A failure stops the operation where the plugin is blocking. Where its words may quote the conversation, they stay here. */
function blockOf(
  plugin: LoadedPlugin,
  point: ExtensionPoint,
  failure: HandlerFailure,
): NonNullable<PointResult['block']> {
  const { consequence } = pointRules[point];
  if (failure.status === 'timed-out') {
    const message = `The plugin ${plugin.name} took ${tooLong(plugin)}, so ${consequence}.`;
    return { message, notices: [], ...stopOf([], 'PLUGIN_EXECUTION_TIMEOUT') };
  }
  const { code, httpStatus, text, safeText } = readFault(failure.error, plugin);
  const why = isConfidential(point) ? safeText : text;
  const message = `The plugin ${plugin.name} failed, so ${consequence}: ${why}`;
  return { message, notices: [], code, httpStatus };
}

function isConfidential(point: ExtensionPoint): boolean {
  return hookCatalog[point].confidential === true;
}

function tooLong({ timeoutMs }: LoadedPlugin): string {
  return `longer than ${timeoutMs} ms`;
}

function verdictOf(
  plugin: LoadedPlugin,
  { changes = [] }: HookTrace,
  answer: HandlerAnswer,
  said: PluginAnswer | undefined,
): Verdict {
  const silent = { ok: false, changes: [], refused: [], notices: [] };
  switch (answer.status) {
    case 'failed':
      return { ...silent, outcome: 'failed', ...failedWith(readFault(answer.error, plugin)) };
    case 'timed-out':
      return {
        ...{ ...silent, outcome: 'timed-out', error: `It took ${tooLong(plugin)}.` },
        ...stopOf([], 'PLUGIN_EXECUTION_TIMEOUT'),
      };
    case 'cancelled':
      return { ...silent, outcome: 'cancelled' };
    case 'returned': {
      const { ok = false, decision = 'passed', refused = [], notices = [], message } = said ?? {};
      const passed = changes.length === 0 ? 'nothing' : 'changed';
      const outcome = decision === 'passed' ? passed : decision;
      const stop = decision === 'blocked' || said?.code !== undefined ? stopOf(notices, said?.code) : {};
      const words = message === undefined ? {} : { message };
      return { outcome, ok, changes, refused, ...words, notices, ...stop };
    }
  }
}

function failedWith({ text, safeText, ...stop }: PluginFault): Partial<Verdict> {
  return { ...stop, error: text, safeError: safeText };
}

/** The verdict as it may be written down. A timeout is told in the host's own words. */
function mayBeToldOf(point: ExtensionPoint, verdict: Verdict): Verdict {
  const { outcome } = verdict;
  if (!isConfidential(point) || (outcome !== 'blocked' && verdict.code === undefined)) return verdict;
  const { message: _message, error, safeError = error, notices, ...rest } = verdict;
  const why = safeError === undefined ? {} : { error: safeError };
  return { ...rest, ...why, notices: notices.map((notice) => ({ ...withoutDetails(notice), message: '' })) };
}

function withoutDetails({ kind, code, message }: PluginNotice): PluginNotice {
  return { kind, ...(code === undefined ? {} : { code }), message };
}

function tracedOf(
  { blocking }: LoadedPlugin,
  line: HookTrace,
  told: Verdict,
): HookTrace & Required<Pick<HookTrace, 'told'>> {
  const { outcome, message, error, code, refused, notices } = told;
  return {
    ...line,
    told: {
      blocking,
      outcome,
      ...(message === undefined ? {} : { message }),
      ...(error === undefined ? {} : { error }),
      ...(code === undefined ? {} : { code }),
      ...(refused.length === 0 ? {} : { refused }),
      ...(notices.length === 0 ? {} : { notices: notices.map(withoutDetails) }),
    },
  };
}

function factsOf(
  point: ExtensionPoint,
  { pluginId, context, changes, told }: ReturnType<typeof tracedOf>,
): PointFacts {
  const { toolName } = context as PointContext;
  return {
    point,
    pluginId,
    ...told,
    ...(toolName === undefined ? {} : { toolName }),
    ...(changes === undefined ? {} : { changes }),
  };
}

function writeLog(log: Log, { plugin, point }: AskedPlugin, told: Verdict, durationMs: number): void {
  const { outcome, ok, error, code, message, notices } = told;
  const who = `Dexto plugin ${plugin.name} at ${point}`;
  log.write('debug', `${who}: ok ${ok}, ${outcome}, ${durationMs.toFixed(2)} ms`);
  if (outcome === 'failed' || outcome === 'timed-out')
    log.write(
      'error',
      `${who} failed${because([code, error].join(', '))}${outcome === 'timed-out' ? moreTime(plugin) : ''}`,
    );
  if (outcome === 'declined' || outcome === 'ignored')
    log.write('warn', `${who} ${wanted[outcome]}${isConfidential(point) ? '' : because(message)}`);
  for (const { kind, code, message: text } of notices) {
    const words = [code, text].filter((part) => part !== undefined && part !== '').join(': ');
    log.write(kind === 'block' || kind === 'warn' ? 'warn' : 'info', `${who}, ${kind}${because(words)}`);
  }
}

function moreTime({ source }: LoadedPlugin): string {
  const place = source === undefined ? '' : ` (${source})`;
  return `${place} Give it more with timeout in the agent file, or let it answer sooner.`;
}

/** Fields of `modify` that count for nothing, each with what its author could have meant. */
function refusalsOf(
  { name, source }: LoadedPlugin,
  point: ExtensionPoint,
  { refused }: Verdict,
): readonly Diagnostic[] {
  const { fixed, fields } = pointRules[point];
  const known = Object.keys(fields);
  return refused.map((field) => {
    const why = fixed.includes(field) ? 'can not be changed' : `is no field of ${point}`;
    const [nearest] = fixed.includes(field) ? [] : nearestFirst(field, known);
    const meant = nearest === undefined ? '' : `Did you mean ${nearest}? `;
    const message = `plugin '${name}' at ${point}: modify.${field} ${why}, so it is ignored; the rest counts`;
    return warnDiagnostic('dexto_modify_refused', message, {
      pluginId: `${dextoIdPrefix}${name}`,
      ...(source === undefined ? {} : { source }),
      hint: `${meant}What ${point} can change: ${known.join(', ')}.`,
    });
  });
}

const wanted = {
  declined: 'said that it is not ok, which stops nothing',
  ignored: 'wanted to stop this, but is not blocking',
} as const;

function because(reason: string | undefined): string {
  return reason === undefined || reason === '' ? '' : `: ${reason}`;
}
