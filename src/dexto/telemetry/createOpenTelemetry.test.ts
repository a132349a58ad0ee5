import { context, metrics, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  StackContextManager,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { afterEach, expect, it } from 'vitest';
import { openExtensionPoints, readyPlugin, sampleCall } from '../../../test/builders/openExtensionPoints.ts';
import type { LoadedPlugin } from '../loadedPlugin.ts';
import { createOpenTelemetry } from './createOpenTelemetry.ts';

const open: { shutdown(): Promise<void> }[] = [];

afterEach(async () => {
  for (const api of [trace, metrics, context]) api.disable();
  await Promise.all(open.splice(0).map((provider) => provider.shutdown()));
});

/** The real SDK, as whoever wants telemetry registers it; exporters are theirs to choose. */
function register() {
  const spans = new InMemorySpanExporter();
  const points = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: points, exportIntervalMillis: 3_600_000 });
  const tracer = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] });
  const meter = new MeterProvider({ readers: [reader] });
  trace.setGlobalTracerProvider(tracer);
  metrics.setGlobalMeterProvider(meter);
  context.setGlobalContextManager(new StackContextManager().enable());
  open.push(tracer, meter);
  return {
    spans: () => spans.getFinishedSpans(),
    async metrics() {
      await meter.forceFlush();
      const last = points.getMetrics().at(-1)?.scopeMetrics ?? [];
      return Object.fromEntries(
        last.flatMap((scope) =>
          scope.metrics.map(({ descriptor, dataPoints }) => [descriptor.name, dataPoints]),
        ),
      );
    },
  };
}

const openWith = (...plugins: readonly LoadedPlugin[]) =>
  openExtensionPoints(plugins, { telemetry: createOpenTelemetry() });

const failing = readyPlugin(
  'audit',
  {
    beforeToolCall: () => {
      throw new Error('disk full');
    },
  },
  { blocking: false, priority: 7 },
);
const gate = readyPlugin('gate', {
  beforeToolCall: () => ({
    ok: false,
    cancel: true,
    message: 'hunter2',
    notices: [{ kind: 'block', code: 'TOOL_NOT_ALLOWED', message: 'hunter2', details: { args: 'hunter2' } }],
  }),
});

it('gives a span for each plugin that is asked', async () => {
  const { spans } = register();
  await openWith(failing, gate).run('beforeToolCall');
  const [first, second] = spans();
  expect(first).toMatchObject({
    name: 'dexto.beforeToolCall audit',
    kind: SpanKind.INTERNAL,
    attributes: {
      'dexto.plugin': 'audit',
      'dexto.point': 'beforeToolCall',
      'dexto.blocking': false,
      'dexto.priority': 7,
      'dexto.outcome': 'failed',
      'session.id': 's1',
      'pincer.run.id': 'r1',
      'gen_ai.tool.name': 'write',
      'gen_ai.tool.call.id': 'c1',
    },
    status: { code: SpanStatusCode.ERROR },
  });
  expect(second).toMatchObject({
    attributes: { 'dexto.plugin': 'gate', 'dexto.outcome': 'blocked' },
    status: { code: SpanStatusCode.UNSET },
    events: [
      {
        name: 'dexto.notice',
        attributes: { 'dexto.notice.kind': 'block', 'dexto.notice.code': 'TOOL_NOT_ALLOWED' },
      },
    ],
  });
});

it('names the tenant, where there is one', async () => {
  const { spans } = register();
  const { points } = openWith(gate);
  const call = sampleCall('beforeToolCall');
  await points.run(
    'beforeToolCall',
    { toolName: 'write', args: {} },
    { ...call, tenant: { tenantId: 't1' } },
  );
  await points.run('beforeToolCall', { toolName: 'write', args: {} }, { ...call, tenant: { userId: 'u1' } });
  expect(spans().map(({ attributes }) => attributes['tenant.id'])).toEqual(['t1', undefined]);
});

it('counts calls and notices, and measures times in seconds', async () => {
  const registered = register();
  const { run, clock } = openWith(
    failing,
    readyPlugin('slow', {
      beforeToolCall: () => {
        clock.advance(250);
        return { ok: true };
      },
    }),
    gate,
  );
  await run('beforeToolCall');
  await run('beforeToolCall');
  const measured = await registered.metrics();
  const of = (name: string, plugin: string) =>
    measured[name]?.find((point) => point.attributes['dexto.plugin'] === plugin);
  expect(of('dexto.plugin.duration', 'slow')).toMatchObject({
    attributes: { 'dexto.point': 'beforeToolCall', 'dexto.blocking': true, 'dexto.outcome': 'nothing' },
    value: { count: 2, sum: 0.5, min: 0.25 },
  });
  expect(of('dexto.plugin.calls', 'audit')).toMatchObject({
    attributes: { 'dexto.outcome': 'failed' },
    value: 2,
  });
  expect(of('dexto.plugin.notices', 'gate')).toMatchObject({
    attributes: { 'dexto.notice.kind': 'block' },
    value: 2,
  });
});

it('tells no text of anybody', async () => {
  const registered = register();
  await openWith(failing, gate).run('beforeToolCall', { toolName: 'write', args: { path: 'hunter2' } });
  const spans = registered
    .spans()
    .map(({ name, attributes, events, status }) => [name, attributes, events, status]);
  const all = JSON.stringify([spans, await registered.metrics()]);
  expect(all).not.toMatch(/hunter2|disk full/u);
});

it('counts what a plugin measures as a part of its own call', async () => {
  const { spans } = register();
  await openWith(
    readyPlugin('measured', {
      beforeToolCall: () => {
        trace.getTracer('plugin').startSpan('lookup').end();
        return { ok: true };
      },
    }),
  ).run('beforeToolCall');
  const [lookup, call] = spans();
  expect(lookup?.parentSpanContext?.spanId).toBe(call?.spanContext().spanId);
});

it('finds a provider that is registered later, and another one after that', async () => {
  const { run } = openWith(gate);
  expect(await run('beforeToolCall')).toMatchObject({ outcome: 'blocked' });
  const first = register();
  await run('beforeToolCall');
  expect(first.spans()).toHaveLength(1);
  expect((await first.metrics())['dexto.plugin.calls']?.[0]?.value).toBe(1);
  for (const api of [trace, metrics, context]) api.disable();
  const second = register();
  await run('beforeToolCall');
  expect(second.spans()).toHaveLength(1);
  expect((await second.metrics())['dexto.plugin.calls']?.[0]?.value).toBe(1);
  expect(first.spans()).toHaveLength(1);
});
