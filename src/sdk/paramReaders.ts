/** Readers for the parameters of a tool call. @throws Error `NAME required` or what is wrong with the value. */

type Values = Readonly<Record<string, unknown>>;

export interface ReadOptions {
  readonly required?: boolean;
  /** The name in error texts; default the key. */
  readonly label?: string;
}

export function readStringParam(
  params: Values,
  key: string,
  options: ReadOptions & { readonly trim?: boolean; readonly allowEmpty?: boolean } = {},
): string | undefined {
  const raw = params[key];
  const text = typeof raw === 'string' ? (options.trim === false ? raw : raw.trim()) : undefined;
  if (text !== undefined && (text !== '' || options.allowEmpty === true)) return text;
  checkOptional(key, options);
  return undefined;
}

export function readNumberParam(
  params: Values,
  key: string,
  options: ReadOptions & { readonly integer?: boolean } = {},
): number | undefined {
  const raw = params[key];
  const number = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw;
  if (typeof number !== 'number' || !Number.isFinite(number)) {
    checkOptional(key, options);
    return undefined;
  }
  return options.integer === true ? Math.trunc(number) : number;
}

export function readStringArrayParam(
  params: Values,
  key: string,
  options: ReadOptions = {},
): readonly string[] | undefined {
  const raw = params[key];
  const values: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
  const texts = values.flatMap((value) =>
    typeof value === 'string' && value.trim() !== '' ? [value.trim()] : [],
  );
  if (texts.length > 0) return texts;
  checkOptional(key, options);
  return undefined;
}

function checkOptional(key: string, { required, label }: ReadOptions): void {
  if (required === true) throw new Error(`${label ?? key} required`);
}
