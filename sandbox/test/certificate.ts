// The certificate of site.test, for tests of calls over https.
import { createPrivateKey } from 'node:crypto';

/** Created for these tests only: nothing else trusts it. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBYjCCAQegAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlzaXRlLnRl
c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CXNpdGUudGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABB4mucQausG5IEAi
yINeIKTjL4a4gkX7hbIMxJ/mUKOHo+uVVK4IZKPBJlu5LCJeEp/BeG7vnR8SWkNz
fgGnsAujSDBGMBQGA1UdEQQNMAuCCXNpdGUudGVzdDAPBgNVHRMBAf8EBTADAQH/
MB0GA1UdDgQWBBQVTpJ6JrA0d5eg17XJcv7yGiz/mTAKBggqhkjOPQQDAgNJADBG
AiEAnzBI3FgbvcezDEwIhZptmnlNwl5QArn8EBKMlcWmEsICIQCHAZhFhWNAwwWL
9mExIp0hHw3GAIvdQb5a1bifRFVVnA==
-----END CERTIFICATE-----
`;
const key = createPrivateKey({
  format: 'jwk',
  key: {
    kty: 'EC',
    crv: 'P-256',
    x: 'Hia5xBq6wbkgQCLIg14gpOMvhriCRfuFsgzEn-ZQo4c',
    y: 'o-uVVK4IZKPBJlu5LCJeEp_BeG7vnR8SWkNzfgGnsAs',
    d: 'gGbWQeXoPc_ehruj8T25WXvgCI6nYpdraK4llDxEnjc',
  },
});

export const certificateKey = key.export({ type: 'pkcs8', format: 'pem' }).toString();
