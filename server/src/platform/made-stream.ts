// Streams that hold something, such as counted memory: it is given back exactly once, when the
// stream ends, fails, or its reader leaves.

type OnEnd = (reason?: unknown) => void | Promise<void>;

/** `next` returns nothing at the end. */
export function makeStream(
  next: () => Uint8Array | undefined | Promise<Uint8Array | undefined>,
  onEnd: OnEnd,
): ReadableStream<Uint8Array> {
  let isOver = false;
  const end: OnEnd = async (reason) => {
    if (isOver) return;
    isOver = true;
    await onEnd(reason);
  };
  return new ReadableStream({
    pull: async (controller) => {
      try {
        const bytes = await next();
        if (bytes) return controller.enqueue(bytes);
      } catch (error) {
        await end(error);
        throw error;
      }
      await end();
      controller.close();
    },
    cancel: end,
  });
}

/** The same bytes. */
export function watchStream(
  body: ReadableStream<Uint8Array>,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return makeStream(
    async () => (await reader.read()).value,
    async (reason) => {
      onEnd();
      // It may have failed itself.
      await reader.cancel(reason).catch(() => undefined);
    },
  );
}
