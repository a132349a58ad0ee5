import type { Page } from 'playwright-core';

/** Trusts the window's folder as a user does: the banner's "Manage", then "Trust". */
export async function trustFolder(page: Page): Promise<void> {
  const banner = page.locator('.part.banner');
  await banner.getByText('Manage').click();
  const editor = page.locator('.workspace-trust-editor');
  await editor.getByRole('button', { name: 'Trust', exact: true }).click();
  await editor
    .getByText('You trust this folder')
    .or(editor.getByText('You trust this workspace'))
    .first()
    .waitFor();
  // The editor opens over the workbench; its own close button gives the workbench back.
  await page.locator('.monaco-modal-editor-block .codicon-close').first().click();
  await page.locator('.monaco-modal-editor-block').waitFor({ state: 'hidden' });
}
