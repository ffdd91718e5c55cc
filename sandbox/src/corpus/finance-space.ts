// Pages about money and about space: saving, markets, insurance, satellites and launches.
import type { SourcePage } from './page.ts';

export const financeAndSpace: SourcePage[] = [
  {
    url: 'https://pennywise.example/basics/index-funds',
    title: 'Index funds in plain words',
    author: 'Grace Abiodun',
    published: '2024-01-22',
    language: 'en',
    country: 'GB',
    topics: ['finance'],
    kind: 'article',
    body: `
An index fund buys a little of everything on a list and then does nothing. That is its strength.
Doing nothing is cheap, and over twenty years cheapness beats cleverness more often than not.

## What it costs

A fund that follows the world's 1,500 largest companies charges about 0.15 percent a year. A
managed fund charges 0.9. On 10,000 pounds over thirty years at 5 percent growth, the difference
comes to roughly 7,900 pounds.

## What can go wrong

The list can fall by half, as it did in 2008, and take four years to return. Money needed within
five years does not belong there. Nor is a list of one industry, whatever its name, an index fund
in this sense.

## How to begin

Pay off debt that costs more than 6 percent. Put three months of spending aside. Then choose one
broad fund, pay in by standing order on the day after payday, and look at it once a year.

## Two questions to ask

Is the fund large enough to survive, say above 100 million pounds? And does the yearly charge
include trading costs? Both answers stand in the key document, on the second page.`,
  },
  {
    url: 'https://pennywise.example/insurance/flood-cover-gap',
    title: 'The flood cover gap: why premiums rise uphill too',
    author: 'Kofi Ampadu',
    published: '2026-04-20',
    language: 'en',
    country: 'GB',
    topics: ['finance', 'climate', 'water'],
    kind: 'article',
    body: `
Home insurance has become dearer by 41 percent in five years, including on hills that have never
seen a flood. The reason lies in how insurers buy insurance for themselves.

## The chain

Your insurer keeps small losses and passes large ones to reinsurers. These look at a whole
country. After three bad years they raised prices for everyone, by 30 percent in January 2024
alone, and your insurer spreads that over all of its customers.

## Where cover disappears

In 310 postcodes fewer than three insurers now quote at all. A public pool covers homes built
before 2009, and not those built since, on the reasoning that nobody should have built there. Some
84,000 families live in such homes.

## What helps a single household

- Flood doors and raised sockets cut the average claim by 70 percent
- A certificate of such measures lowers premiums at seven of twelve insurers
- A higher excess for water damage saves about 15 percent

## What would help everyone

Maps that show the risk of a single house rather than of a postcode exist already. Insurers use
them; buyers are not shown them until after the purchase.`,
  },
  {
    url: 'https://news.harbourpost.example/2026/rates-held',
    title: 'Central bank holds rates and hints at a cut in spring',
    author: 'Kofi Ampadu',
    published: { days_ago: 3 },
    language: 'en',
    country: 'GB',
    topics: ['finance'],
    kind: 'news',
    body: `
The central bank left its main interest rate at 3.5 percent on Thursday, as expected, by a vote of
six to three. The three wanted a cut of a quarter point at once.

## The reasons

Inflation stood at 2.4 percent in October, close to the target of 2. Wages still grow by 4.1
percent a year. "We are nearly there, and nearly is not there," said the governor, Helena Strand.

## Reaction

The currency fell by half a cent after the press conference, in which the governor twice used the
word spring. Traders now see a chance of 78 percent for a cut in March. Shares of house builders
rose by 3 percent.

## What it means for borrowers

Offers for a five-year mortgage fell to an average of 4.3 percent this week, from 4.6 in
September. About 160,000 households must renew before March; brokers advise securing an offer now,
as it can usually be exchanged for a better one until completion.`,
  },
  {
    url: 'https://pennywise.example/markets/green-bonds-audit',
    title: 'Green bonds under the magnifying glass: where the money went',
    author: 'Kofi Ampadu',
    published: '2025-10-14',
    language: 'en',
    country: 'LU',
    topics: ['finance', 'climate', 'energy'],
    kind: 'article',
    body: `
Companies and states sold 640 billion dollars of green bonds last year. Buyers accept slightly
lower interest in return for a promise about the use of the money. We followed 120 bonds to see
whether the promise was kept.

## What we found

For 88 of them the money can be traced to the project named at the sale. For 21 it went to a
project of the same kind in another place. For eleven nobody, including the issuer, could tell us.

## New or refinanced

Only 46 percent paid for something that did not exist before. The rest replaced older loans on
finished wind farms, solar parks and railway lines. That is allowed, and it does not add a single
turbine.

## The discount

The interest advantage has shrunk from 0.08 to 0.02 percentage points since 2021. For a bond of
500 million that is 100,000 dollars a year, less than the cost of the reports.

## What careful buyers do

They read the second annual report rather than the prospectus, ask for the share of new
investment, and prefer issuers whose auditor checks the project as well as the bank account.`,
  },
  {
    url: 'https://data.statbank.example/series/household-energy-spending',
    title: 'Household spending on energy, by income group',
    published: { days_ago: 28 },
    language: 'en',
    country: 'IE',
    topics: ['finance', 'energy'],
    kind: 'reference',
    body: `
Quarterly series on what private households spend on electricity, gas, oil, solid fuel and
district heat. Motor fuel is reported separately.

## Share of disposable income

| Income group | 2021 | 2023 | Latest quarter |
|---|---|---|---|
| Lowest fifth | 8.9 % | 13.4 % | 10.1 % |
| Second | 6.1 % | 8.8 % | 6.9 % |
| Middle | 4.8 % | 6.7 % | 5.2 % |
| Fourth | 3.7 % | 5.0 % | 4.0 % |
| Highest fifth | 2.4 % | 3.1 % | 2.5 % |

## Reading the table

The lowest group spends less money in absolute terms and four times as much in proportion.
Households with a heat pump spend 22 percent less than similar households with oil, before
repayment of the system.

## Solar and storage

Eleven percent of households own solar panels, 4 percent a battery as well. Ownership rises with
income: 3 percent in the lowest group, 24 in the highest. Income from sold electricity is deducted
from spending.

## Method

Some 8,400 households keep a diary for two weeks and give consent to read their meter for the
quarter. Results are weighted by region, size of household and kind of dwelling.`,
  },
  {
    url: 'https://orbitdesk.example/missions/lunar-polar-water',
    title: 'Lunar rover finds patchy ice at the south pole',
    author: 'Sana Qureshi',
    published: '2026-11-05',
    language: 'en',
    country: 'US',
    topics: ['space', 'water'],
    kind: 'news',
    images: ['https://orbitdesk.example/gallery/rover-shadow.jpg'],
    body: `
A rover that spent 74 days near the Moon's south pole drilled 31 holes and found water ice in
nine. Where there is ice, it makes up 2 to 6 percent of the soil. A few metres further on there
may be none at all.

## Cold traps

The ice lies in hollows that sunlight has not reached for two billion years. At minus 200 degrees
water stays where it falls. The rover entered each shadow for less than four hours, since its
battery had to keep the instruments warm.

## What it means for crews

To make a tonne of drinking water one would have to heat some 30 tonnes of soil. That is possible,
and it is far more work than mission plans assumed. Scientists would like to see a map with a
resolution of ten metres before anybody chooses a site for a base.

## A surprise

Three holes contained ammonia, which suggests that comets brought part of the ice. The samples
that could prove it will have to wait for the next mission, planned for 2029.`,
  },
  {
    url: 'https://orbitdesk.example/debris/who-cleans-up',
    title: 'Space debris: who pays for cleaning up orbit?',
    author: 'Sana Qureshi',
    published: '2025-02-25',
    language: 'en',
    country: 'JP',
    topics: ['space', 'finance'],
    kind: 'article',
    body: `
More than 36,000 objects larger than a fist circle the Earth. Nobody owns the problem. A dead
satellite belongs to the state that launched it, for ever, and no one else may touch it without
permission.

## The first removals

A Japanese craft flew to within 15 metres of an old rocket stage in 2024 and looked at it from all
sides. A Swiss one is to grasp an adapter next year. Each such mission costs about 100 million
dollars and removes one object.

## The worst fifty

Fifty rocket stages, most of them from before 1996, account for almost half of the collision risk
in low orbit. Removing four a year would be enough to stop the number of fragments from rising.

## Ideas for payment

Economists propose a fee on every satellite in proportion to its risk: about 15,000 dollars a year
for a small one that comes down by itself, and half a million for a large one in a crowded orbit.
Operators prefer deposits that are returned when the satellite burns up. Regulators in three
countries are drafting rules, and none wants to be the first.`,
  },
  {
    url: 'https://orbitdesk.example/earth-observation/methane-satellites',
    title: 'Catching methane leaks from orbit: a year of plumes',
    author: 'Viktor Holm',
    published: '2026-06-27',
    language: 'en',
    country: 'NL',
    topics: ['space', 'climate', 'energy'],
    kind: 'article',
    links: ['https://climateledger.example/analysis/storage-emissions'],
    body: `
Four satellites now look for methane every day. One sees the whole Earth in a blur, the others
zoom in until they see single wells. Last year they reported 3,900 large plumes to the owners of
the land below.

## Who answered

Only 12 percent of the notices were answered at all. Where a national regulator sent the notice,
the figure was 58 percent. Of the leaks whose owners answered, two thirds were closed within a
month, often by relighting a flare or shutting a valve.

## How good is the measurement

A plume of 100 kilograms an hour can be seen in dry, bright country. Over sea, snow and forest the
limit is ten times higher. Test releases showed errors of 20 to 30 percent for single passes and
10 percent for averages.

## A cheap repair

The largest leak, at a compressor station, released 4.5 tonnes an hour for eleven weeks. The
broken seal cost 1,200 dollars. The gas that escaped would have sold for about two million.`,
  },
  {
    url: 'https://papers.meridian.example/2025/exoplanet-k2-archive',
    title: 'A temperate sub-Neptune in archival light curves',
    author: 'C. Mbeki, A. Rossi, L. Hartmann',
    published: '2025-12-18',
    language: 'en',
    country: 'ZA',
    topics: ['space'],
    kind: 'paper',
    body: `
## Abstract

We report a planet of 2.4 Earth radii that orbits a quiet red dwarf at a distance of 31 parsecs
every 38.9 days. It was found in archival light curves in which two of its transits had been
removed as instrument noise.

## Detection

A neural network trained on simulated transits flagged the star among 190,000 others. Ground
telescopes in Chile and South Africa observed a third transit within four minutes of the predicted
time. Radial velocity measurements limit the mass to less than 11 Earth masses.

## Why it is interesting

The planet receives 1.3 times the sunlight that Earth does. Its star is bright in the infrared, so
that a large space telescope could measure water vapour in the atmosphere in about 20 hours, less
than for all but two known planets of similar temperature.

## Caution

A sub-Neptune of this size most likely has a thick envelope of hydrogen and no surface. Temperate
describes the light it receives and does not mean that anything could live there. Code and cleaned
light curves are published with the paper.`,
  },
  {
    url: 'https://orbitdesk.example/launch/reusable-small-rocket',
    title: 'Small rocket lands on a barge at the third attempt',
    author: 'Viktor Holm',
    published: { days_ago: 0.9 },
    language: 'en',
    country: 'NZ',
    topics: ['space', 'transport'],
    kind: 'news',
    body: `
A rocket only 28 metres tall placed eleven satellites in orbit and landed its first stage on a
barge in the South Pacific, the smallest vehicle to do so. The two earlier attempts had ended in
the sea.

## Why small is hard

A large rocket keeps a few percent of its fuel for landing. On a small one, the same margin can be
the whole payload. Engineers saved weight by letting a parachute do most of the braking and the
engine only the last two seconds.

## The economics

The company says a recovered stage saves 40 percent of the price of a launch once it has flown
five times. A dedicated flight costs 8.4 million dollars at present. Competitors offer seats on
large rockets for a third of that, without a choice of orbit.

## What comes next

The stage is on its way to Auckland for inspection and is to fly again in March. Its landing legs,
made from flax fibre, are going to a museum.`,
  },
];
