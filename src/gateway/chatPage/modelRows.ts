import { errorMessage } from '../../base/errors.ts';
import type { Model } from '../../contracts/model.ts';
import type { Session } from '../../sessions/session.ts';

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

/** The model that answers next, or why there is none. */
export function modelName(
  models: { default(): Model; forSession(session: Session): Model },
  session: Session | undefined,
): string {
  try {
    return (session === undefined ? models.default() : models.forSession(session)).info.name;
  } catch (error) {
    return errorMessage(error);
  }
}
