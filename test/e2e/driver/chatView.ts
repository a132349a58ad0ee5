import type { FrameLocator, Locator, Page } from 'playwright-core';
import { isHeardBy, until } from './until.ts';

/** The Chat view of our side bar, driven by mouse and keyboard. */
export interface ChatView {
  /** The whole page. */
  readonly frame: FrameLocator;
  /** Types a message and sends it with Enter. */
  send(text: string): Promise<void>;
  input(): Locator;
  button(name: string | RegExp): Locator;
  /** The items of a kind: `user`, `answer`, `step`, `question`, `note`. */
  items(kind: string): Locator;
  waitForText(kind: string, match: string | RegExp): Promise<void>;
  /** No turn runs, and the newest answer says this. */
  waitForAnswer(match: string | RegExp): Promise<void>;
}

export function createChatView(page: Page): ChatView {
  // VS Code shows a webview as a page in a page.
  const frame = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  const items = (kind: string): Locator => frame.locator(`#items > .${kind}`);
  const waitForText = async (kind: string, match: string | RegExp): Promise<void> =>
    await items(kind).filter({ hasText: match }).last().waitFor();
  const input = (): Locator => frame.getByLabel('Message to Pincer');
  return {
    frame,
    input,
    items,
    waitForText,
    button: (name) => frame.getByRole('button', { name }),
    async send(text) {
      await until(`the message ${JSON.stringify(text)} to be sent`, async () => {
        await input().fill(text);
        return await isHeardBy(input(), () => input().press('Enter'));
      });
    },
    async waitForAnswer(match) {
      await waitForText('answer', match);
      await until('the turn to end', async () => !(await frame.locator('#progress').isVisible()));
    },
  };
}

/** Runs in the page, on its body: addresses are dropped on it as VS Code and other programs of its kind name files. */
export function dropAddresses(body: object, addresses: readonly string[]): void {
  const page = globalThis as unknown as {
    readonly DataTransfer: new () => { setData(type: string, data: string): void };
    readonly DragEvent: new (type: string, options: object) => object;
  };
  const dataTransfer = new page.DataTransfer();
  dataTransfer.setData('application/vnd.code.uri-list', addresses.join('\r\n'));
  (body as { dispatchEvent(event: object): void }).dispatchEvent(
    new page.DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }),
  );
}

/** Runs in the page, on its body: a file is dropped on it. */
export function dropFile(
  body: object,
  { name, text }: { readonly name: string; readonly text: string },
): void {
  const page = globalThis as unknown as {
    readonly DataTransfer: new () => { readonly items: { add(file: object): void } };
    readonly File: new (parts: readonly string[], name: string) => object;
    readonly DragEvent: new (type: string, options: object) => object;
  };
  const dataTransfer = new page.DataTransfer();
  dataTransfer.items.add(new page.File([text], name));
  (body as { dispatchEvent(event: object): void }).dispatchEvent(
    new page.DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }),
  );
}

/** Runs in the page: clicks the yes of the next question as soon as it stands there. */
export async function clickAtOnce(): Promise<{
  readonly said: string | undefined;
  readonly isInSight: boolean;
}> {
  interface Shown {
    readonly textContent: string;
    click(): void;
    getBoundingClientRect(): { readonly bottom: number };
  }
  const page = globalThis as unknown as {
    readonly document: { querySelector(selector: string): Shown | null };
    requestAnimationFrame(run: () => void): void;
  };
  const find = (selector: string): Shown | null => page.document.querySelector(selector);
  while (find('.question.open [data-key="once"]') === null)
    await new Promise<void>((resolve) => page.requestAnimationFrame(resolve));
  find('.question.open [data-key="once"]')?.click();
  const notice = find('.question.open .notice');
  const end = find('#scroller')?.getBoundingClientRect().bottom ?? 0;
  return {
    said: notice?.textContent,
    isInSight: (notice?.getBoundingClientRect().bottom ?? Infinity) <= end,
  };
}

/** Runs in the page: until the buttons of the question have stood still for so long that the page takes a click. */
export async function untilStill(): Promise<void> {
  const page = globalThis as unknown as {
    readonly document: {
      querySelector(selector: string): { getBoundingClientRect(): { readonly top: number } } | null;
    };
    requestAnimationFrame(run: () => void): void;
  };
  let [since, before] = [performance.now(), Number.NaN];
  while (performance.now() - since < 700) {
    await new Promise<void>((resolve) => page.requestAnimationFrame(resolve));
    const top = page.document.querySelector('.question.open .choices')?.getBoundingClientRect().top;
    if (top === before) continue;
    [since, before] = [performance.now(), top ?? Number.NaN];
  }
}
