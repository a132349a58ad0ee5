/** What the form tells the editor. It comes from a page: checked before use. */
type FromForm =
  /** A control changed: check it. */
  | { readonly type: 'changed' | 'save'; readonly values: Readonly<Record<string, string | boolean>> }
  | { readonly type: 'open-config' };

/** What the editor tells the form, which shows every text literally. */
export type ToForm =
  /** What is wrong, by field id; after an attempt to save also the field to go to. */
  | {
      readonly type: 'checked';
      readonly problems: Readonly<Record<string, string>>;
      readonly focus?: string;
    }
  /** It is saved: what the runtime says now, and how each secret stands, by field id. */
  | {
      readonly type: 'saved';
      readonly verdict: Verdict;
      readonly secrets: Readonly<Record<string, ShownSecret>>;
    };

/** How the plugin took its settings. */
export interface Verdict {
  readonly level: 'ok' | 'warn' | 'error';
  readonly title: string;
  readonly details: readonly string[];
}

/** How a secret field looks; never its value. */
export interface ShownSecret {
  readonly placeholder: string;
  readonly canClear: boolean;
}

/** Undefined for anything else than a message of the form. */
export function readFromForm(message: unknown): FromForm | undefined {
  if (typeof message !== 'object' || message === null || !('type' in message)) return undefined;
  if (message.type === 'open-config') return { type: 'open-config' };
  if (message.type !== 'changed' && message.type !== 'save') return undefined;
  if (!('values' in message) || typeof message.values !== 'object' || message.values === null)
    return undefined;
  const values = Object.entries(message.values).filter(
    (entry): entry is [string, string | boolean] =>
      typeof entry[1] === 'string' || typeof entry[1] === 'boolean',
  );
  return { type: message.type, values: Object.fromEntries(values) };
}
