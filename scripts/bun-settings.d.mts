// The type of bun-settings.mjs, which plain Node must be able to read as well.
export declare const bunSettings: Readonly<Record<string, string>>;
