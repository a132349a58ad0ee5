/** One value that a bench measured. */
export interface Figure {
  /** What it is, unique in its bench. */
  readonly name: string;
  readonly value: number;
  readonly unit: 'ns' | 'µs' | 'ms' | 'kB' | 'MB' | '×' | 'files';
  /** The target: the value has to be less, in the same unit. Absent: the figure is for information. */
  readonly below?: number;
  /** What `value` is the median of, in the order it was measured. */
  readonly samples?: readonly number[];
}

/** Measures one aspect of what `npm run build` has made. It leaves nothing behind: no process, port or temporary file. */
export interface Bench {
  /** As on the command line: `npm run bench -- <name>`. */
  readonly name: string;
  /** It runs the extension in the editor host, which needs Linux. */
  readonly needsEditor: boolean;
  /** Rejects where a measurement could not be made; a missed target is a figure like any other. */
  run(): Promise<readonly Figure[]>;
}

/** What became of one bench. */
export interface BenchResult {
  readonly bench: string;
  readonly figures: readonly Figure[];
  /** Why there are no figures. */
  readonly problem?: string;
}

export function isMissed({ value, below }: Figure): boolean {
  return below !== undefined && !(value < below);
}
