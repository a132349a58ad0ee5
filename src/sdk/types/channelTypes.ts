/** Settings, states and adapters of channels, as far as nobody here looks into them. */
export type ChannelFields = Readonly<Record<string, unknown>>;

/** Who is let in: ids, or `*`. */
export type ChannelAllowFrom = readonly (string | number)[] | null | undefined;
