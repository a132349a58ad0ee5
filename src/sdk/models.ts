/** A model by provider and name. */
export interface ModelRef {
  readonly provider: string;
  readonly model: string;
}

/** Reads `provider/model`; a name without a provider gets `defaultProvider`. Null where a part is missing. */
export function parseModelRef(text: string, defaultProvider = ''): ModelRef | null {
  const trimmed = text.trim();
  const slash = trimmed.indexOf('/');
  const provider = (slash < 0 ? defaultProvider : trimmed.slice(0, slash)).trim().toLowerCase();
  const model = trimmed.slice(slash + 1).trim();
  return provider === '' || model === '' ? null : { provider, model };
}
