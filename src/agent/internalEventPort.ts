/** Tells operator hooks of what happens in a run. Ask `has` before gathering a context. */
export interface InternalEventPort {
  has(type: 'message', action: string): boolean;
  /** Never rejects. */
  emit(
    type: 'message',
    action: string,
    facts: { readonly sessionKey: string; readonly context: Record<string, unknown> },
  ): Promise<unknown>;
}
