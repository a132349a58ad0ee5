// Threat: log and trace outlive the turn. Where plugins see the conversation, their errors are told without words, and of a block
// nothing is told but whose it was and the codes of its notices.
import type { Log } from '../host/ports.ts';
import type { PluginCall } from './callPlugin.ts';
import type { Verdict } from './judgeCall.ts';
import type { PluginNotice } from './pluginTypes.ts';
import type { PointStep } from './pointFacts.ts';
import type { PointNotice } from './pointNotice.ts';
import { pointRules } from './pointRules.ts';

export interface PointReportParts {
  readonly log: Log;
  readonly trace?: (runId: string, step: PointStep) => void;
  readonly notice?: (notice: PointNotice) => void;
}

/** Tells log, trace and listeners what one plugin did. `durationMs` in milliseconds. */
export type PointReport = (asked: PluginCall, verdict: Verdict, durationMs: number) => void;

export function createPointReports({ log, trace, notice }: PointReportParts): PointReport {
  return (asked, verdict, durationMs) => {
    const { plugin, point, call, startedAt } = asked;
    const told = toldOf(asked, verdict);
    writeLog(log, asked, told, durationMs);
    for (const each of told.notices) notice?.({ point, pluginId: plugin.name, call, notice: each });
    if (trace === undefined) return;
    const { outcome, changes, message, error, notices } = told;
    const { toolName, toolCallId } = call;
    trace(call.runId, {
      kind: 'point',
      point,
      pluginId: plugin.name,
      blocking: plugin.blocking,
      outcome,
      ...(toolName === undefined ? {} : { toolName }),
      ...(toolCallId === undefined ? {} : { toolCallId }),
      ...(changes.length === 0 ? {} : { changes }),
      ...(message === undefined ? {} : { message }),
      ...(error === undefined ? {} : { error }),
      ...(notices.length === 0 ? {} : { notices: notices.map(withoutDetails) }),
      startedAt,
      durationMs,
    });
  };
}

/** The verdict as it may be written down. A timeout is told in the host's own words. */
function toldOf({ point }: PluginCall, verdict: Verdict): Verdict {
  const { outcome } = verdict;
  if (!pointRules[point].isConfidential || (outcome !== 'blocked' && outcome !== 'failed')) return verdict;
  const { message: _message, error: _error, notices, ...rest } = verdict;
  return { ...rest, notices: notices.map(onlyCode) };
}

function onlyCode({ kind, code }: PluginNotice): PluginNotice {
  return { kind, ...(code === undefined ? {} : { code }), message: '' };
}

function withoutDetails({ kind, code, message }: PluginNotice): PluginNotice {
  return { kind, ...(code === undefined ? {} : { code }), message };
}

function writeLog(log: Log, { plugin, point }: PluginCall, told: Verdict, durationMs: number): void {
  const { outcome, ok, error, message, refused, notices } = told;
  const who = `Dexto plugin ${plugin.name} at ${point}`;
  log.write('debug', `${who}: ok ${ok}, ${outcome}, ${durationMs.toFixed(2)} ms`);
  if (outcome === 'failed' || outcome === 'timed-out') log.write('error', `${who} failed${because(error)}`);
  const isQuoted = pointRules[point].isConfidential;
  if (outcome === 'declined' || outcome === 'ignored')
    log.write('warn', `${who} ${wanted[outcome]}${isQuoted ? '' : because(message)}`);
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
