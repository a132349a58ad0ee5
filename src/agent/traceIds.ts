/** Ids of one run in a tree of runs, of the lengths that W3C trace contexts have. Field names are upstream's. */
export interface RunTraceIds {
  /** 32 hex digits; the same in every run that a run starts. */
  readonly traceId: string;
  /** 16 hex digits, of this run alone. */
  readonly spanId: string;
  /** The run that started this one. */
  readonly parentSpanId?: string;
  /** 0 for a run that a person began, one more for each that an agent started in between. */
  readonly callDepth: number;
}

/** What a run that starts another one hands on. */
export interface ParentTrace {
  readonly traceId: string;
  readonly parentSpanId: string;
  /** Of the new run. */
  readonly callDepth: number;
}

export function createTraceIds(parent?: ParentTrace): RunTraceIds {
  const spanId = hexDigits().slice(0, 16);
  return parent === undefined ? { traceId: hexDigits(), spanId, callDepth: 0 } : { ...parent, spanId };
}

/** For `RunInput.trace` of a run that this one starts. Pure. */
export function childTrace({ traceId, spanId, callDepth }: RunTraceIds): ParentTrace {
  return { traceId, parentSpanId: spanId, callDepth: callDepth + 1 };
}

/** `ctx.trace` of the hooks. Pure. */
export function traceOf({ traceId, spanId, parentSpanId }: RunTraceIds): {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
} {
  return { traceId, spanId, ...(parentSpanId === undefined ? {} : { parentSpanId }) };
}

/** 32 random digits; never all zero, since a UUID says its version. */
function hexDigits(): string {
  return crypto.randomUUID().replaceAll('-', '');
}
