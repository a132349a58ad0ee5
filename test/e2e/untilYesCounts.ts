import type { Workbench } from './driver/openWorkbench.ts';
import { until } from './driver/until.ts';

/** A yes in the first half second does not count: the clock that the status bar has for a question has gone on by then. */
export async function untilYesCounts({ statusText }: Pick<Workbench, 'statusText'>): Promise<void> {
  const clock = async (): Promise<string | undefined> => /\d+:\d\d/u.exec(await statusText())?.[0];
  let shown = await until('the clock', clock);
  for (const tick of ['first', 'second'])
    shown = await until(`the ${tick} tick`, async () => {
      const now = await clock();
      return now !== shown && now;
    });
}
