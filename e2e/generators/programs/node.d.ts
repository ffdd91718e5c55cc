// What the tours use of Node, so that the generated code is compiled without its types.
declare const process: { env: Record<string, string | undefined> };
