import type { RunChoice, RunView } from './runView.ts';

/** What the page tells the editor. It comes from a page: checked before use. */
interface FromRunPage {
  readonly type: 'choose';
  readonly choice: RunChoice;
}

/** What the editor tells the page. */
export interface ToRunPage {
  readonly type: 'show';
  readonly view: RunView;
}

/** Undefined for anything else than a message of the page. */
export function readFromRunPage(message: unknown): FromRunPage | undefined {
  if (typeof message !== 'object' || message === null || !('type' in message)) return undefined;
  if (message.type !== 'choose') return undefined;
  const text = (key: string): string | undefined => {
    const value: unknown = Reflect.get(message, key);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const [runId, pluginId] = [text('runId'), text('pluginId')];
  return {
    type: 'choose',
    choice: { ...(runId === undefined ? {} : { runId }), ...(pluginId === undefined ? {} : { pluginId }) },
  };
}
