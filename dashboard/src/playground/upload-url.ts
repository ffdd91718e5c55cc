// The address of an upload lets everyone who knows it listen, and ends with the upload's last job.

export function isUploadUrl(url: string): boolean {
  return /^https?:\/\/[^?#]*\/files\/upl_[^/?#]+$/.test(url.trim());
}
