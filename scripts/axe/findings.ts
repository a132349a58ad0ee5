import axe, { type RunOptions } from 'axe-core';
import type { Frame, Page } from 'playwright-core';

import { inTheme } from '../../test/e2e/driver/looks.ts';
import type { Workbench } from '../../test/e2e/driver/openWorkbench.ts';
import { until } from '../../test/e2e/driver/until.ts';

/** One element that breaks a rule of axe. */
export interface Finding {
  /** Where it was looked for, with the theme: `Sessions, filled, dark`. */
  readonly place: string;
  readonly rule: string;
  readonly help: string;
  /** What kind of element it is: tag, role and classes. VS Code draws ours and those of others from the same parts. */
  readonly kind: string;
  readonly html: string;
  /** What axe says has to be different. */
  readonly why: string;
}

/** Light, dark and high contrast. */
export type Theme = 'light' | 'Dark Modern' | 'Dark High Contrast';

/** The parts of the workbench that are looked at. */
export const parts = {
  sideBar: '.part.sidebar',
  chat: '.interactive-session',
  editor: '.part.editor',
  picker: '.quick-input-widget',
  toasts: '.notifications-toasts',
} as const;

/** Does the work in each theme, and leaves the window in the light one. */
export async function inEachTheme(
  window: Pick<Workbench, 'page' | 'palette' | 'settingsFile'>,
  work: (theme: Theme) => Promise<void>,
): Promise<void> {
  await work('light');
  for (const theme of ['Dark Modern', 'Dark High Contrast'] as const)
    await inTheme(window, theme, () => work(theme));
}

/** What VS Code calls a theme in a webview; its colours come with that. */
const bodyClasses: Readonly<Record<Theme, string>> = {
  light: 'vscode-light',
  'Dark Modern': 'vscode-dark',
  'Dark High Contrast': 'vscode-high-contrast',
};

/** The page inside of the webview that shows, in the colours of the theme; some load anew when the theme changes. */
export async function webview(page: Page, theme: Theme): Promise<Frame> {
  const inner = page.frameLocator('iframe.webview.ready').locator('iframe#active-frame');
  return await until(`the webview in ${theme}`, async () => {
    const frame = await (await inner.elementHandle()).contentFrame();
    const shown = frame?.locator(`body.${bodyClasses[theme]} *`).filter({ visible: true });
    return ((await shown?.count()) ?? 0) > 0 && (frame ?? false);
  });
}

/** Every element of a part, or of a webview's `body`, that breaks a rule. */
export async function lookAt(
  where: Page | Frame,
  selector: string,
  place: string,
): Promise<readonly Finding[]> {
  await where.evaluate(axe.source);
  const options: RunOptions = { iframes: false, resultTypes: ['violations'], elementRef: true };
  const found = await where.evaluate<readonly FoundElement[]>(`
    axe.run(${JSON.stringify(selector)}, ${JSON.stringify(options)}).then(({ violations }) =>
      violations.flatMap(({ id, help, nodes }) =>
        nodes.map(({ html, element, failureSummary }) => ({
          rule: id, help, html, why: failureSummary ?? '',
          tag: element.localName, role: element.getAttribute('role') ?? '', classes: [...element.classList],
        })),
      ),
    )`);
  return found.map(({ tag, role, classes, ...finding }) => ({
    ...finding,
    place,
    kind: kindOf({ tag, role, classes }),
  }));
}

interface ElementKind {
  readonly tag: string;
  readonly role: string;
  readonly classes: readonly string[];
}

interface FoundElement extends ElementKind, Omit<Finding, 'place' | 'kind'> {}

/** State says nothing about the kind: what is selected, folded, hovered; nor does the number of a list. */
const states =
  /^(?:focused|selected|expanded|collapsed|checked|disabled|active|hover|visible|odd|even|codicon-[\w-]+|list_id_\d+)$/u;

/** `div[tree].a.b`. Pure. */
function kindOf({ tag, role, classes }: ElementKind): string {
  const named = classes.filter((name) => !states.test(name)).sort();
  return `${tag}${role === '' ? '' : `[${role}]`}${named.map((name) => `.${name}`).join('')}`;
}

/** Equal for elements of one kind that break one rule. Pure. */
export function signature({ rule, kind }: Finding): string {
  return `${rule} ${kind}`;
}
