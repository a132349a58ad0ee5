import type { FrameLocator, Locator, Page } from 'playwright-core';

/** The form of a plugin's settings, in the active editor. */
export interface Form {
  /** A control by its label. */
  field(label: string): Locator;
  /** The text below a control that says what is wrong with it. */
  problem(label: string): Locator;
  button(name: string): Locator;
  /** What came of saving. */
  verdict(): Locator;
  /** The whole page. */
  readonly frame: FrameLocator;
}

export function createForm(page: Page): Form {
  // VS Code shows a webview as a page in a page; the newest, since the Chat view may be open, too.
  const frame = page
    .locator('iframe.webview.ready')
    .last()
    .contentFrame()
    .frameLocator('iframe#active-frame');
  return {
    frame,
    field: (label) => frame.getByLabel(label, { exact: true }),
    problem: (label) =>
      frame
        .locator('.field')
        .filter({ has: frame.getByLabel(label, { exact: true }) })
        .locator('.message'),
    button: (name) => frame.getByRole('button', { name }),
    verdict: () => frame.locator('#verdict'),
  };
}
