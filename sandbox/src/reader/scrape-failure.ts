// Why a page could not be read, in the codes and statuses that Firecrawl uses for it.

export class ScrapeFailure extends Error {
  readonly code: keyof typeof status;
  readonly status: number;

  constructor(code: keyof typeof status, message: string) {
    super(message);
    this.code = code;
    this.status = status[code];
  }
}

const status = {
  SCRAPE_DNS_RESOLUTION_ERROR: 500,
  SCRAPE_SITE_ERROR: 500,
  SCRAPE_SSL_ERROR: 500,
  SCRAPE_TIMEOUT: 408,
  SCRAPE_UNSUPPORTED_FILE_ERROR: 500,
  SCRAPE_ALL_ENGINES_FAILED: 500,
} as const;
