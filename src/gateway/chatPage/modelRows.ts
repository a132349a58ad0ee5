import type { Model } from '../../contracts/model.ts';

export interface ModelRow {
  /** `provider/model`; empty for the default of the config. */
  readonly id: string;
  readonly title: string;
}

/**
 * The models that a session may be given, as the page lists them; `byDefault` names the default of the config. The one that the session
 * was given (`used`, empty for the default) has a mark. Pure.
 */
export function modelRows(models: readonly Model[], byDefault: string, used?: string): readonly ModelRow[] {
  const rows = models.map(({ info: { name, provider, model } }) => {
    const id = `${provider}/${model}`;
    return { id, title: name === id ? id : `${name} (${id})` };
  });
  return [{ id: '', title: byDefault }, ...rows].map(({ id, title }) => ({
    id,
    title: id === used ? `✓ ${title}` : title,
  }));
}
