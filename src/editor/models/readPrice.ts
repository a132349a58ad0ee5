/** `0.25`, `$3`, `0,15`: a price as people type it; undefined for anything else. Pure. */
export function readPrice(text: string): number | undefined {
  const digits = /^\$?\s*(\d+(?:[.,]\d+)?|[.,]\d+)\s*\$?$/u.exec(text.trim())?.[1];
  return digits === undefined ? undefined : Number(digits.replace(',', '.'));
}
