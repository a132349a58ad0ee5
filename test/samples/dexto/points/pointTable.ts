/** How it is shown that a point holds. */
export type PointProof =
  /** A folder beside this file: see `pointSample.ts`. Several points may share one where they are one rule. */
  | { readonly kind: 'sample'; readonly folder: string }
  /** A heading of a document of the project. */
  | { readonly kind: 'document'; readonly path: string; readonly heading: string }
  | { readonly kind: 'ruled out'; readonly reason: string };

export interface PointRow {
  /** 1 to 72, as the checklist of the dialect counts. */
  readonly point: number;
  readonly rule: string;
  readonly proof: PointProof;
}

/** Every point of the checklist of the dialect, with what shows it. */
export const pointTable: readonly PointRow[] = [
];

function shown(point: number, rule: string, folder: string): PointRow {
  return { point, rule, proof: { kind: 'sample', folder } };
}
