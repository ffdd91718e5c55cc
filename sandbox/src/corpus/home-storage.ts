// Pages about storing solar energy where it is generated: homes, balconies, schools and their
// bills.
import type { SourcePage } from './page.ts';

export const homeStorage: SourcePage[] = [
  {
    url: 'https://gridlines.example/storage/solar-storage-guide',
    title: 'Solar energy storage explained: from rooftop battery to grid reserve',
    author: 'Ines Calloway',
    published: '2026-09-14',
    language: 'en',
    country: 'US',
    topics: ['energy', 'storage'],
    kind: 'article',
    links: [
      'https://gridlines.example/storage/four-hour-rule',
      'https://energy.atlas.example/wiki/battery-round-trip-efficiency',
      'https://volt-review.example/home-batteries/2026',
    ],
    images: ['https://gridlines.example/img/solar-day-curve.png'],
    body: `
Solar panels make most of their electricity around noon. Homes use most of theirs after sunset.
Solar energy storage closes that gap: it keeps the midday surplus and gives it back in the
evening.

## Three sizes of storage

A home battery holds 5 to 15 kilowatt-hours, about one evening of use. A shared battery for a
street or an apartment block holds 100 to 500. A grid battery beside a solar park holds hundreds
of thousands, and in 2025 the average new one could run at full power for 3.1 hours.

## What it costs

Installed prices fell again in 2025. Home systems sold for about 620 dollars a kilowatt-hour in
the markets we track, and grid systems for 148. The cells themselves are now less than half of the
bill; the rest is power electronics, permits, labour and fire protection.

## What is lost

Each round trip through a lithium iron phosphate battery loses 10 to 14 percent of the energy,
most of it in the inverter. Storage that waits for weeks loses more, which is why seasonal storage
still belongs to water, heat and hydrogen rather than to batteries.

## Where to start

Measure before buying. A year of hourly readings from the meter tells an owner how much surplus
there is to store, and in most climates a battery larger than one evening's use stands idle half
the year.`,
  },
  {
    url: 'https://volt-review.example/home-batteries/2026',
    title: 'Home solar batteries tested: eleven systems through one winter',
    author: 'Marek Dunne',
    published: '2026-03-22',
    language: 'en',
    country: 'GB',
    topics: ['storage', 'energy'],
    kind: 'article',
    images: [
      'https://volt-review.example/img/test-rack.jpg',
      'https://volt-review.example/img/winter-losses.png',
    ],
    body: `
We installed eleven home batteries behind identical 6 kilowatt solar roofs in Leeds and ran them
from October to March. The winter is the honest season: little sun, cold garages, and long idle
spells that reveal what the electronics eat for themselves.

## Efficiency in daily use

The best system returned 91 percent of the energy put into it, the worst 74. The difference was
not the cells, which came from two factories, but standby consumption. One inverter drew 68 watts
day and night, which over a dull December added up to more than the battery stored.

## Capacity that can be used

| System size on the label | Usable, measured | Price per usable kWh |
|---|---|---|
| 5.0 kWh | 4.4 kWh | 890 pounds |
| 9.6 kWh | 9.1 kWh | 640 pounds |
| 13.5 kWh | 13.1 kWh | 575 pounds |

## Behaviour in a power cut

Only four of the eleven kept the house running when we opened the main switch, and two of those
took longer than a second, enough to restart a router. Buyers who want solar energy storage as a
backup must ask for an islanding switch by name; it is seldom included.

## Our pick

The 9.6 kilowatt-hour system was the quietest, lost the least at idle, and paid back fastest on
the time-of-use tariff that most of our readers have.`,
  },
  {
    url: 'https://news.harbourpost.example/2026/school-roofs-share-storage',
    title: 'Forty schools to share one solar battery in county pilot',
    author: 'Tomás Weller',
    published: { days_ago: 4 },
    language: 'en',
    country: 'US',
    topics: ['energy', 'storage', 'cities'],
    kind: 'news',
    body: `
Forty schools with solar roofs will store their weekend surplus in a single shared battery from
next month, the county council decided on a vote of nine to two.

## Empty buildings, full sun

School roofs make a quarter of their energy on days when nobody is in the building. Until now that
electricity was sold to the grid for about three cents a kilowatt-hour and bought back on Monday
for nineteen. The shared battery, 4.2 megawatt-hours in a former bus depot, keeps a share for each
school.

## The figures

The council expects to save 310,000 dollars a year after a one-time cost of 2.1 million, most of
it from a state resilience grant. In an emergency the storage can run three schools as shelters
for two days.

## Questions that remain

Two members voted against because the fire service has not yet approved the depot. The chief fire
officer said a report would be ready within six weeks and that water supply at the site was the
only open point.`,
  },
  {
    url: 'https://www.sunstore.example/products/terrace',
    title: 'Terrace: balcony solar with storage that plugs in',
    published: '2026-06-02',
    language: 'en',
    country: 'NL',
    topics: ['storage', 'energy'],
    kind: 'company',
    images: [
      'https://www.sunstore.example/media/terrace-front.jpg',
      'https://www.sunstore.example/media/terrace-app.png',
    ],
    links: ['https://www.sunstore.example/', 'https://www.sunstore.example/support/islanding'],
    body: `
Terrace is a small solar energy storage system for tenants. Two panels hang on the railing, a
battery of 2.2 kilowatt-hours stands beside the door, and one plug connects both to the home.

## What is in the box

- Two bifacial panels of 450 watts with railing brackets
- A battery module of 2.2 kWh, stackable up to four modules
- A hybrid inverter limited to 800 watts on the house side
- A clip for the meter, so that nothing is fed to the grid unless you allow it

## What it does in a year

In Utrecht a south-facing Terrace makes 760 kilowatt-hours a year. Without storage a household of
two uses 410 of them; with one module 640, with two 690. The second module therefore pays back
only where the evening tariff is more than twice the price at noon.

## Warranty

The battery is covered for ten years or 6,000 full cycles to 70 percent of its first capacity.
Panels are covered for 25 years. Modules are taken back free of charge and rebuilt in Eindhoven.`,
  },
  {
    url: 'https://www.sunstore.example/support/islanding',
    title: 'Using your solar battery during a power cut',
    published: '2025-08-19',
    language: 'en',
    country: 'NL',
    topics: ['storage', 'energy'],
    kind: 'reference',
    links: ['https://www.sunstore.example/products/terrace'],
    body: `
When the grid fails, an ordinary solar inverter switches off within a fifth of a second. That is
required by law: a line that people believe dead must not be fed from a roof. To keep your own
lights on, the house has to be separated from the street first. We call this islanding.

## What you need

An islanding switch between meter and fuse box, a battery with at least 20 percent charge, and an
inverter that can start without the grid. Installers set the reserve; we recommend 30 percent in
winter and 10 in summer.

## What runs, and for how long

A refrigerator, lamps, a router and a gas boiler together draw about 220 watts. A battery of 10
kilowatt-hours carries them for close to 40 hours without any sun. A heat pump or an oven will
empty the same storage in two or three.

## Restarting from empty

If the battery runs flat the system waits for daylight. From roughly 80 watts of solar power it
wakes, charges for fifteen minutes, and closes the island again by itself. Press and hold the
green key for five seconds if it does not.`,
  },
  {
    url: 'https://pennywise.example/home/solar-battery-payback',
    title: 'Is a solar battery worth the money? A worked example',
    author: 'Grace Abiodun',
    published: '2026-07-08',
    language: 'en',
    country: 'GB',
    topics: ['finance', 'storage', 'energy'],
    kind: 'article',
    body: `
Our neighbour Ana has a 4 kilowatt solar roof and a quote for 5,200 pounds for a battery. Here is
the sum we did at her kitchen table, step by step, so that you can put in your own figures.

## Step one: the surplus

Her meter shows 2,150 kilowatt-hours exported last year. A 9 kilowatt-hour battery can catch only
what fits on the day it is made. From her hourly data that is 1,480.

## Step two: what each unit is worth

She is paid 5 pence for exported energy and pays 27 for imports. After losses of 12 percent each
stored unit saves about 19 pence. That makes 280 pounds a year.

## Step three: the tariff

With a night rate of 9 pence the battery can also be filled in winter, when there is no sun to
store. On 140 winter days that adds another 165 pounds.

## The answer

Together 445 pounds a year, a payback of 11.7 years against a warranty of ten. At a price of 4,000
pounds it would be nine years. Ana has asked two more installers, and will wait until spring.`,
  },
];
