import type { Emitter } from '../../base/event.ts';
import type { LoadedPlugin } from '../loadedPlugin.ts';
import type { Log } from '../../host/ports.ts';
import type { Reports } from '../../plugins/createReports.ts';
import { logNew } from '../../plugins/logNew.ts';
import { createConfigRedactor } from '../../plugins/manifest/createConfigRedactor.ts';
import { collectSecrets } from './collectSecrets.ts';
import type { Generation } from './generation.ts';
import type { DextoLoader } from './loadTypes.ts';
import { diagnosticsIn, emptyLoadReport, type LoadReport } from './planLoadReport.ts';

/** What runs now, and what is shown of it. */
export interface Generations {
  current(): Generation | undefined;
  /** In order. */
  readonly running: () => readonly LoadedPlugin[];
  shown(): LoadReport;
  /** Changes what runs and what is shown in one step. Resolves once what is gone has cleaned up. */
  swap(next: Generation | undefined, then: LoadReport): Promise<void>;
  /** Cleans up plugins that run no more, or never ran; one generation after the other. */
  end(generation: Generation): Promise<void>;
  /** Takes the secrets of the file that counts, and of the one before, out of a text. */
  readonly redact: (text: string) => string;
}

interface GenerationsParts {
  readonly log: Log;
  readonly loader: Pick<DextoLoader, 'cleanUp'>;
  readonly reports: Reports;
  readonly changed: Pick<Emitter<void>, 'fire'>;
}

export function createGenerations({ log, loader, reports, changed }: GenerationsParts): Generations {
  let current: Generation | undefined;
  let running: readonly LoadedPlugin[] = [];
  let shown = emptyLoadReport;
  let redactors: readonly ((text: string) => string)[] = [];
  let ends: Promise<unknown> = Promise.resolve();

  const end = async ({ plugins, file }: Generation): Promise<void> => {
    const gone = plugins.map(({ checked }) => checked);
    const redact = redactorOf({ file });
    const ending = ends.then(async () => {
      const told = await loader.cleanUp(gone);
      for (const each of gone.toReversed()) each.dispose();
      for (const each of told) reports.report({ ...each, message: redact(each.message) });
    });
    ends = ending;
    await ending;
  };

  return {
    redact: (text) => redactors.reduce((rest, redact) => redact(rest), text),
    current: () => current,
    running: () => running,
    shown: () => shown,
    end,
    async swap(next, then) {
      const gone = current;
      logNew(log, diagnosticsIn(shown), diagnosticsIn(then));
      redactors = [next, gone].flatMap((each) => (each === undefined ? [] : redactorOf(each)));
      current = next;
      shown = then;
      const isSame = gone?.plugins === next?.plugins;
      if (!isSame) running = next?.plugins.map(({ checked }) => checked.plugin) ?? [];
      if (!isSame) next?.plugins.forEach(({ plan }) => reports.forget(plan.id));
      changed.fire();
      if (gone !== undefined && !isSame) await end(gone);
    },
  };
}

function redactorOf({ file }: Pick<Generation, 'file'>): (text: string) => string {
  return createConfigRedactor(collectSecrets(file));
}
