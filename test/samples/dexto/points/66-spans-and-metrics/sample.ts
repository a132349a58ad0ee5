import { metrics, trace } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'whoever registers an OpenTelemetry provider, at any time, gets a span for each plugin that is asked, and counts and times; no text of anybody is in them',
  async check({ say, runtime }) {
    const spans = new InMemorySpanExporter();
    const measured = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
    const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 3_600_000 });
    const tracer = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] });
    const meter = new MeterProvider({ readers: [reader] });
    trace.setGlobalTracerProvider(tracer);
    metrics.setGlobalMeterProvider(meter);
    try {
      const calls = { toolCalls: [{ name: 'ls', arguments: {} }] };
      await runtime.conversations.withTenant({ tenantId: 'acme' }, () =>
        say('hunter2', [calls, { text: 'Done.' }], { session: runtime.conversations.create() }),
      );
      await meter.forceFlush();
      const told = spans
        .getFinishedSpans()
        .map(({ name, attributes }) => [name, attributes['dexto.outcome']]);
      expect(told).toEqual([
        ['dexto.beforeToolCall guard', 'nothing'],
        ['dexto.beforeToolCall audit', 'failed'],
      ]);
      expect(spans.getFinishedSpans()[0]?.attributes).toMatchObject({
        'tenant.id': 'acme',
        'gen_ai.tool.name': 'ls',
        'dexto.priority': 10,
      });
      const scopes = measured.getMetrics().at(-1)?.scopeMetrics ?? [];
      const all = scopes.flatMap((scope) => scope.metrics);
      expect(all.map(({ descriptor }) => descriptor.name).sort()).toEqual([
        'dexto.plugin.calls',
        'dexto.plugin.duration',
        'dexto.plugin.notices',
      ]);
      const texts = JSON.stringify([
        spans.getFinishedSpans().map(({ attributes, events, status }) => [attributes, events, status]),
        all.map(({ dataPoints }) => dataPoints.map(({ attributes }) => attributes)),
      ]);
      expect(texts).not.toContain('hunter2');
    } finally {
      trace.disable();
      metrics.disable();
      await Promise.all([tracer.shutdown(), meter.shutdown()]);
    }
  },
});
