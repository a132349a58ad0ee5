import type { Page } from 'playwright-core';

/** The few calls of IndexedDB that are used; the project has no browser types. */
interface Request<T> {
  readonly result: T;
  onsuccess: () => void;
  onerror: () => void;
}
interface Database {
  transaction(store: string): { objectStore(name: string): { get(key: string): Request<unknown> } };
  close(): void;
}
interface DatabaseFactory {
  databases(): Promise<readonly { readonly name: string }[]>;
  open(name: string): Request<Database>;
}

/**
 * What the workbench has stored of the chat view, as text. The browser keeps it, and it is written a second after the view
 * changed; a reload before that opens an empty chat.
 */
export async function storedChatView(page: Page): Promise<string> {
  return await page.evaluate(async () => {
    const { indexedDB } = globalThis as unknown as { readonly indexedDB: DatabaseFactory };
    const settled = <T>(request: Request<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(new Error('IndexedDB failed'));
      });
    const found: string[] = [];
    for (const { name } of await indexedDB.databases()) {
      if (!name.startsWith('vscode-web-state-db') || name.endsWith('-global')) continue;
      const database = await settled(indexedDB.open(name));
      const store = database.transaction('ItemTable').objectStore('ItemTable');
      const value = await settled(store.get('memento/interactive-session-view-copilot'));
      if (typeof value === 'string') found.push(value);
      database.close();
    }
    return found.join('\n');
  });
}
