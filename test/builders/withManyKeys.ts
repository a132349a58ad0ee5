/** An object of 400,000 keys that counts how many of its values were looked at. */
export function withManyKeys(): { readonly value: object; readonly looks: () => number } {
  let looks = 0;
  const value = {};
  for (let key = 0; key < 400_000; key += 1)
    Object.defineProperty(value, `k${String(key)}`, {
      enumerable: true,
      get: () => {
        looks += 1;
        return 1;
      },
    });
  return { value, looks: () => looks };
}
