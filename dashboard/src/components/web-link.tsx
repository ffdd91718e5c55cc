// A link to a vendor's URL: only http and https, never a script or a file.

export function WebLink({ url, children }: { url: string; children: string }) {
  if (!isWebAddress(url)) return <span>{children}</span>;
  return (
    <a href={url} rel="noreferrer noopener" target="_blank">
      {children}
    </a>
  );
}

export function isWebAddress(url: string): boolean {
  return URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);
}
