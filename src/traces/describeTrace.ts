import { plural } from '../base/text.ts';
import { describeHook, describePoint, type TimelineText, type TimelineIcon } from './describeHook.ts';
import { because, describeChanges, duration, list } from './phrases.ts';
import type { RunTrace, StepFacts, TraceLine } from './runTrace.ts';

/** One line of the timeline that a person reads. Texts are inert, but no markdown. */
export interface TimelineLine {
  readonly icon: TimelineIcon;
  /** `word-guard · before_tool_call changed params.path: a.txt → b.txt (0.3 ms)` */
  readonly title: string;
  /** One fact each, such as a change with its values. */
  readonly details: readonly string[];
  /** 1 for what belongs to the tool call above. */
  readonly depth: 0 | 1;
  /** Milliseconds since the run began. */
  readonly at: number;
  readonly durationMs: number;
}

/** The timeline of a run: who ran, how long, what changed, who decided. Pure. */
export function describeTrace(trace: RunTrace): readonly TimelineLine[] {
  const lines: TimelineLine[] = [];
  let call: string | undefined;
  for (const line of trace.lines) {
    const toolCallId = 'toolCallId' in line ? line.toolCallId : undefined;
    if (toolCallId !== undefined && toolCallId !== call) lines.push(callHeading(line));
    // What the model does next belongs to no call any more; observers of the turn in between do not end one.
    if (toolCallId !== undefined) call = toolCallId;
    else if (line.kind === 'model') call = undefined;
    lines.push(toTimeline(line, toolCallId === undefined ? 0 : 1));
  }
  return [...lines, ...ending(trace)];
}

/** What happened to one call, one plain line each: who judged it, what was changed, how it went. Pure. */
export function describeCall({ lines }: RunTrace, toolCallId: string): readonly string[] {
  return lines
    .filter((line) => 'toolCallId' in line && line.toolCallId === toolCallId)
    .flatMap((line) => {
      const { title, details } = toTimeline(line, 1);
      return [title, ...details];
    });
}

function toTimeline(line: TraceLine, depth: 0 | 1): TimelineLine {
  const { icon, text, details = [] } = describeLine(line);
  const { at, durationMs } = line;
  const isMoment = ['message', 'policy', 'retry', 'fallback'].includes(line.kind);
  return {
    icon,
    title: isMoment ? text : `${text} (${duration(durationMs)})`,
    details,
    depth,
    at,
    durationMs,
  };
}

function callHeading(line: TraceLine): TimelineLine {
  const title = `Tool call: ${'toolName' in line ? (line.toolName ?? '?') : '?'}`;
  return { icon: 'tool', title, details: [], depth: 0, at: line.at, durationMs: 0 };
}

function describeLine(line: TraceLine): TimelineText {
  if (line.kind === 'hook') return describeHook(line);
  return line.kind === 'point' ? describePoint(line) : describeStep(line);
}

function describeStep(step: StepFacts): TimelineText {
  switch (step.kind) {
    case 'message':
      return { icon: 'message', text: messageTexts[step.outcome] };
    case 'model':
      return describeModel(step);
    case 'tool':
      return step.outcome === 'done'
        ? { icon: 'tool', text: `${step.toolName} ran` }
        : { icon: 'error', text: `${step.toolName} failed at ${step.stage}${because(step.error)}` };
    case 'policy':
      return describePolicy(step);
    case 'approval':
      return {
        icon: step.isAllowed ? 'ask' : 'block',
        text: `approval for ${list(step.askers)}: ${step.resolution}, answered by ${step.by}`,
        details: [step.title, ...(step.asked === undefined ? [] : [step.asked])],
      };
    case 'retry':
      return {
        icon: 'error',
        text: `the model failed and is asked again (${plural(step.attempt, 'try', 'tries')} so far)${because(step.error)}`,
        details: [`waits ${duration(step.waitMs)}`],
      };
    case 'fallback':
      return { icon: 'model', text: `${step.provider}/${step.model} takes over${because(step.error)}` };
    case 'compaction':
      return describeCompaction(step);
  }
}

const messageTexts = {
  received: 'Your message arrived',
  withheld: 'The answer was withheld',
  delivered: 'The answer was shown and stored',
  replaced: 'Your message was replaced before anything was stored',
  asked: 'A program asked a model by the gateway: no agent, hook or tool took part',
} as const;

function describeModel(step: Extract<StepFacts, { kind: 'model' }>): TimelineText {
  const who = `${step.provider}/${step.model}`;
  if (step.outcome === 'failed') return { icon: 'error', text: `${who} failed${because(step.error)}` };
  if (step.outcome === 'cancelled') return { icon: 'model', text: `${who} was cut off` };
  const { usage } = step;
  return {
    icon: 'model',
    text:
      step.toolCalls === 0 ? `${who} answered` : `${who} asked for ${plural(step.toolCalls, 'tool call')}`,
    details: usage === undefined ? [] : [`${usage.input} tokens in, ${usage.output} out`],
  };
}

function describeCompaction(step: Extract<StepFacts, { kind: 'compaction' }>): TimelineText {
  if (step.outcome === 'failed')
    return { icon: 'error', text: `the conversation could not be compacted${because(step.error)}` };
  return {
    icon: 'change',
    text: `the conversation was compacted: about ${step.tokensBefore} tokens became ${step.tokensAfter}`,
  };
}

function describePolicy(step: Extract<StepFacts, { kind: 'policy' }>): TimelineText {
  const who = step.pluginId === undefined ? 'host rules' : `${step.pluginId} · trusted policy`;
  switch (step.outcome) {
    case 'allowed':
      return { icon: 'policy', text: `${who}: nothing to ask` };
    case 'changed':
      return { icon: 'change', text: `trusted policies ${describeChanges(step.changes ?? []).text}` };
    case 'dropped':
      return { icon: 'change', text: `parameters were dropped${because(step.reason)}` };
    case 'asked':
      return { icon: 'ask', text: `${who} ask for approval${because(step.reason)}` };
    case 'refused':
      return { icon: 'block', text: `blocked by ${who}${because(step.reason)}` };
    case 'skipped':
      return { icon: 'block', text: `not carried out${because(step.reason)}` };
  }
}

function ending(trace: RunTrace): readonly TimelineLine[] {
  const omitted: readonly TimelineLine[] =
    trace.omitted === 0
      ? []
      : [endLine(trace, 'quiet', `${plural(trace.omitted, 'more line')} were not kept`)];
  const took = duration(trace.durationMs ?? 0);
  switch (trace.status) {
    case 'running':
      return omitted;
    case 'completed':
      return [...omitted, endLine(trace, 'end', `Completed in ${took}`)];
    case 'cancelled':
      return [...omitted, endLine(trace, 'end', `Cancelled after ${took}`)];
    case 'blocked':
      return [
        ...omitted,
        endLine(trace, 'block', `Blocked by ${trace.blockedBy ?? 'a plugin'} after ${took}`),
      ];
    case 'failed':
      return [...omitted, endLine(trace, 'error', `Failed after ${took}${because(trace.error)}`)];
  }
}

function endLine({ durationMs = 0 }: RunTrace, icon: TimelineIcon, title: string): TimelineLine {
  return { icon, title, details: [], depth: 0, at: durationMs, durationMs: 0 };
}
