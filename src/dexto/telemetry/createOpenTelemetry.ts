// Threat: spans and metrics leave the machine wherever the user's exporter sends them. They hold names, ids, outcomes, codes and times;
// never a text of a user, a model, a tool or a plugin.
import {
  context,
  metrics,
  SpanStatusCode,
  trace,
  type Attributes,
  type Counter,
  type Histogram,
  type MeterProvider,
} from '@opentelemetry/api';
import type { AskedPlugin, Verdict } from '../pointFacts.ts';

/** What tells other systems how plugins do. Holds no content: names, outcomes, codes and times. */
export interface PointTelemetry {
  begin(asked: AskedPlugin): PluginSpan;
}

/** The call of one plugin, while it goes on. */
export interface PluginSpan {
  /** Runs `work` so that what it measures counts as a part of this. */
  run<T>(work: () => T): T;
  end(verdict: Verdict, durationMs: number): void;
}

/** The name that spans and metrics of Pincer come under. */
const scope = 'pincer';

/** Seconds: plugins take from less than a tenth of a millisecond to their time limit, 5 s by default. */
const durationBuckets = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30];

interface Instruments {
  readonly duration: Histogram;
  readonly calls: Counter;
  readonly notices: Counter;
}

/**
 * Spans and metrics of plugins through `@opentelemetry/api` (Dexto plugin specification, TODOs for Future). Whoever wants them registers a provider, at any
 * time; until then they go nowhere.
 */
export function createOpenTelemetry(): PointTelemetry {
  const known = new WeakMap<MeterProvider, Instruments>();
  /** Instruments stay with the provider that they were made by, so that each provider needs its own. */
  const instruments = (): Instruments => {
    const provider = metrics.getMeterProvider();
    const made = known.get(provider) ?? createInstruments(provider);
    known.set(provider, made);
    return made;
  };
  return {
    begin(asked) {
      const { point, plugin } = asked;
      const span = trace
        .getTracer(scope)
        .startSpan(`dexto.${point} ${plugin.name}`, { attributes: spanAttributes(asked) });
      return {
        run: (work) => context.with(trace.setSpan(context.active(), span), work),
        end(verdict, durationMs) {
          measure(instruments(), asked, verdict, durationMs);
          span.setAttribute('dexto.outcome', verdict.outcome);
          for (const notice of verdict.notices) span.addEvent('dexto.notice', noticeAttributes(notice));
          if (isFault(verdict)) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
  };
}

function createInstruments(provider: MeterProvider): Instruments {
  const meter = provider.getMeter(scope);
  return {
    duration: meter.createHistogram('dexto.plugin.duration', {
      unit: 's',
      description: 'Time that a plugin took at an extension point.',
      advice: { explicitBucketBoundaries: durationBuckets },
    }),
    calls: meter.createCounter('dexto.plugin.calls', {
      description: 'Times that a plugin was asked at an extension point.',
    }),
    notices: meter.createCounter('dexto.plugin.notices', { description: 'Notices that plugins gave.' }),
  };
}

function measure(
  { duration, calls, notices }: Instruments,
  asked: AskedPlugin,
  verdict: Verdict,
  durationMs: number,
): void {
  const attributes = { ...commonAttributes(asked), 'dexto.outcome': verdict.outcome };
  duration.record(durationMs / 1_000, attributes);
  calls.add(1, attributes);
  // No codes: plugins make them up, and every new one would be a series of its own.
  for (const { kind } of verdict.notices)
    notices.add(1, { ...commonAttributes(asked), 'dexto.notice.kind': kind });
}

function commonAttributes({ plugin, point }: AskedPlugin): Attributes {
  return { 'dexto.plugin': plugin.name, 'dexto.point': point, 'dexto.blocking': plugin.blocking };
}

function spanAttributes(asked: AskedPlugin): Attributes {
  const { plugin, call } = asked;
  return {
    ...commonAttributes(asked),
    'dexto.priority': plugin.priority,
    'session.id': call.sessionId,
    'pincer.run.id': call.runId,
    ...(call.tenant?.tenantId === undefined ? {} : { 'tenant.id': call.tenant.tenantId }),
    ...(call.toolName === undefined ? {} : { 'gen_ai.tool.name': call.toolName }),
    ...(call.toolCallId === undefined ? {} : { 'gen_ai.tool.call.id': call.toolCallId }),
  };
}

function noticeAttributes({ kind, code }: Verdict['notices'][number]): Attributes {
  return { 'dexto.notice.kind': kind, ...(code === undefined ? {} : { 'dexto.notice.code': code }) };
}

function isFault({ outcome }: Verdict): boolean {
  return outcome === 'failed' || outcome === 'timed-out';
}
