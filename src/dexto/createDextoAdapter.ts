// Threat: a plugin that can't be asked must not be a guard that is not there: what a blocking plugin does wrong stops the operation, what
// any other does wrong stops nothing. And log and trace outlive the turn: where plugins see the conversation, their errors are told
// without words, and of a block nothing is told but whose it was and the codes of its notices.
import { errorMessage } from '../base/errors.ts';
import { inertText, truncate } from '../base/text.ts';
import { isThenable } from '../base/untrusted.ts';
import type { Clock, Log } from '../host/ports.ts';
import type { CallSignal, HandlerAnswer } from '../hooks/callHandler.ts';
import { hookCatalog } from '../hooks/hookCatalog.ts';
import type { HandlerFailure, HookRegistration } from '../hooks/callHandler.ts';
import type { HookTrace } from '../hooks/hookTrace.ts';
import type { PointContext, PointResult } from '../hooks/payloads/pointHooks.ts';
import type { ContextFactory } from './context/createContextFactory.ts';
import { createProfiles } from './createProfiles.ts';
import { DextoPluginError } from './dextoErrors.ts';
import type { ExecutionProfile } from '../plugins/pluginTypes.ts';
import { httpStatusOf } from './httpStatus.ts';
import type { LoadedPlugin } from './loadedPlugin.ts';
import type { ExtensionPoint, PluginNotice } from './dextoTypes.ts';
import type { AskedPlugin, PointFacts, PointNotice, Verdict } from './pointFacts.ts';
import { pointRules } from './pointRules.ts';
import { readPluginAnswer, type Answer } from './readPluginAnswer.ts';
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
  /** Its profile has changed. */
  readonly profiled?: (plugin: LoadedPlugin) => void;
}

/** A call that goes on: what is known of it when it ends. */
interface GoingCall {
  readonly span?: PluginSpan;
  answer?: Answer;
}

type Methods = Readonly<Record<ExtensionPoint, (payload: object, context: object) => unknown>>;

/** The Dexto dialect for the hook runner (Dexto plugin specification, Runtime Execution and Error Handling Pseudo-Code). */
export function createDextoAdapter(parts: DextoAdapterParts): DextoAdapter {
  const { clock, context, telemetry, asked, notice, profiled } = parts;
  const profiles = createProfiles();

  const registrationOf = (plugin: LoadedPlugin, point: ExtensionPoint): HookRegistration => {
    const calls = new WeakMap<CallSignal, GoingCall>();
    return {
      hook: point,
      pluginId: plugin.name,
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
        const value = span === undefined ? work() : span.run(work);
        return isThenable(value) ? Promise.resolve(value).then(read) : read(value);
      },

      onFailure: (failure) =>
        plugin.blocking ? { block: blockWith(failureText(plugin, point, failure), []) } : undefined,

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
  { decision, modify, message, notices }: Answer,
  plugin: LoadedPlugin,
): PointResult | undefined {
  if (decision !== 'blocked') return modify === undefined ? undefined : { modify };
  const words = message ?? `The plugin ${plugin.name} stopped this.`;
  return {
    ...(modify === undefined ? {} : { modify }),
    block: blockWith(words, notices),
  };
}

function blockWith(message: string, notices: readonly PluginNotice[]): NonNullable<PointResult['block']> {
  return { message, notices, httpStatus: httpStatusOf(notices) };
}

/** A failure stops the operation where the plugin is blocking. Where its words may quote the conversation, they stay here. */
function failureText(plugin: LoadedPlugin, point: ExtensionPoint, failure: HandlerFailure): string {
  const { consequence } = pointRules[point];
  if (failure.status === 'timed-out')
    return `The plugin ${plugin.name} took ${tooLong(plugin)}, so ${consequence}.`;
  const why = isConfidential(point) ? '.' : `: ${errorText(plugin, failure.error)}`;
  return `The plugin ${plugin.name} failed, so ${consequence}${why}`;
}

function isConfidential(point: ExtensionPoint): boolean {
  return hookCatalog[point].confidential === true;
}

function tooLong({ timeoutMs }: LoadedPlugin): string {
  return `longer than ${timeoutMs} ms`;
}

const maxError = 1_000;

function errorText({ redact }: LoadedPlugin, thrown: unknown): string {
  return truncate(inertText(redact(errorMessage(thrown))), maxError);
}

function verdictOf(
  plugin: LoadedPlugin,
  { changes = [] }: HookTrace,
  answer: HandlerAnswer,
  said: Answer | undefined,
): Verdict {
  const silent = { ok: false, changes: [], refused: [], notices: [] };
  switch (answer.status) {
    case 'failed':
      return { ...silent, outcome: 'failed', error: errorText(plugin, answer.error) };
    case 'timed-out':
      return { ...silent, outcome: 'timed-out', error: `It took ${tooLong(plugin)}.` };
    case 'cancelled':
      return { ...silent, outcome: 'cancelled' };
    case 'returned': {
      const { ok = false, decision = 'passed', refused = [], notices = [], message } = said ?? {};
      const passed = changes.length === 0 ? 'nothing' : 'changed';
      const outcome = decision === 'passed' ? passed : decision;
      return { outcome, ok, changes, refused, ...(message === undefined ? {} : { message }), notices };
    }
  }
}

/** The verdict as it may be written down. A timeout is told in the host's own words. */
function mayBeToldOf(point: ExtensionPoint, verdict: Verdict): Verdict {
  const { outcome } = verdict;
  if (!isConfidential(point) || (outcome !== 'blocked' && outcome !== 'failed')) return verdict;
  const { message: _message, error: _error, notices, ...rest } = verdict;
  return { ...rest, notices: notices.map((notice) => ({ ...withoutDetails(notice), message: '' })) };
}

function withoutDetails({ kind, code, message }: PluginNotice): PluginNotice {
  return { kind, ...(code === undefined ? {} : { code }), message };
}

function tracedOf(
  { blocking }: LoadedPlugin,
  line: HookTrace,
  told: Verdict,
): HookTrace & Required<Pick<HookTrace, 'told'>> {
  const { outcome, message, error, notices } = told;
  return {
    ...line,
    told: {
      blocking,
      outcome,
      ...(message === undefined ? {} : { message }),
      ...(error === undefined ? {} : { error }),
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
  const { outcome, ok, error, message, refused, notices } = told;
  const who = `Dexto plugin ${plugin.name} at ${point}`;
  log.write('debug', `${who}: ok ${ok}, ${outcome}, ${durationMs.toFixed(2)} ms`);
  if (outcome === 'failed' || outcome === 'timed-out') log.write('error', `${who} failed${because(error)}`);
  if (outcome === 'declined' || outcome === 'ignored')
    log.write('warn', `${who} ${wanted[outcome]}${isConfidential(point) ? '' : because(message)}`);
  if (refused.length > 0) log.write('warn', `${who} can't change ${refused.join(', ')}; the rest counts`);
  for (const { kind, code, message: text } of notices) {
    const words = [code, text].filter((part) => part !== undefined && part !== '').join(': ');
    log.write(kind === 'block' || kind === 'warn' ? 'warn' : 'info', `${who}, ${kind}${because(words)}`);
  }
}

const wanted = {
  declined: 'said that it is not ok, which stops nothing',
  ignored: 'wanted to stop this, but is not blocking',
} as const;

function because(reason: string | undefined): string {
  return reason === undefined || reason === '' ? '' : `: ${reason}`;
}
