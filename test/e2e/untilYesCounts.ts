import type { Workbench } from './driver/openWorkbench.ts';
import { until } from './driver/until.ts';

/** A yes in the first half second does not count: the clock of the status bar has gone on by then. */
export async function untilYesCounts({ statusText }: Pick<Workbench, 'statusText'>): Promise<void> {
  for (const tick of ['first', 'second']) {
    const before = await statusText();
    await until(`the ${tick} tick`, async () => (await statusText()) !== before);
  }
}
