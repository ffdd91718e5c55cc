// Pages about storing solar energy for the grid: batteries, heat, ageing, emissions and makers.
import type { SourcePage } from './page.ts';

export const gridStorage: SourcePage[] = [
  {
    url: 'https://gridlines.example/storage/four-hour-rule',
    title: 'Why grid batteries stop at four hours, and when they will not',
    author: 'Ines Calloway',
    published: '2025-11-03',
    language: 'en',
    country: 'US',
    topics: ['energy', 'storage', 'finance'],
    kind: 'article',
    links: ['https://gridlines.example/storage/solar-storage-guide'],
    body: `
Nearly every grid battery built since 2020 can deliver its full power for two to four hours. That
is not a limit of chemistry. It is the shape of the evening peak, and of the rules that pay for
it.

## The rule behind the number

In several capacity markets a battery counts as firm capacity only if it lasts four hours. Owners
therefore buy four hours exactly: the fifth hour of storage costs as much as the fourth and earns
nothing in the capacity auction.

## What solar changes

As solar energy grows, the evening peak becomes narrower at first, because panels shave the
afternoon. After roughly 20 percent of annual supply the effect reverses: the night itself becomes
the period of need, and it lasts ten hours. Modelling for one western market put the tipping point
at 34 gigawatts of solar, a level it expects to pass in 2028.

## Who is ready

Iron-air, compressed air and pumped water are all cheaper per stored hour than lithium once
storage must last longer than eight hours. None of them yet wins an auction that pays for four.
Two market operators have opened consultations on an eight-hour product, with decisions due in
2027.`,
  },
  {
    url: 'https://energy.atlas.example/wiki/battery-round-trip-efficiency',
    title: 'Round-trip efficiency of energy storage',
    published: '2024-06-11',
    language: 'en',
    country: 'US',
    topics: ['storage', 'energy'],
    kind: 'reference',
    links: [
      'https://energy.atlas.example/wiki/pumped-storage',
      'https://energy.atlas.example/wiki/photovoltaics',
    ],
    body: `
Round-trip efficiency is the share of the energy put into a store that can be taken out again. It
is measured at the point where the store meets the grid, so that converters, pumps and cooling
count.

## Typical values

| Technology | Round trip | Usual duration |
|---|---|---|
| Lithium iron phosphate battery | 84 to 90 % | 1 to 6 hours |
| Vanadium flow battery | 65 to 75 % | 4 to 12 hours |
| Pumped water | 75 to 82 % | 6 to 24 hours |
| Compressed air | 55 to 70 % | 8 to 24 hours |
| Hydrogen, stored and burnt | 28 to 40 % | days to months |

## How it is measured

The store is charged from its lower to its upper operating limit, rested for ten minutes and
discharged at rated power. Three cycles are run and the last is reported. Auxiliary consumption is
metered separately and subtracted.

## Why it matters for solar power

A store that loses a quarter of its energy needs a third more panels to give the same evening
supply. When surplus solar energy would otherwise be switched off, however, even an inefficient
store turns waste into supply, and the price per stored kilowatt-hour matters more than the loss.`,
  },
  {
    url: 'https://papers.meridian.example/2025/hybrid-solar-storage-sizing',
    title: 'Sizing battery storage for hybrid solar plants under curtailment risk',
    author: 'A. Oyelaran, K. Lindqvist, P. Moreau',
    published: '2025-04-28',
    language: 'en',
    country: 'SE',
    topics: ['storage', 'energy', 'finance'],
    kind: 'paper',
    links: ['https://papers.meridian.example/2024/calendar-ageing-lfp'],
    body: `
## Abstract

Hybrid plants combine solar generation and battery storage behind one grid connection. We study
how much storage such a plant should carry when the grid operator may curtail it without payment.
Using five years of quarter-hourly data from 41 plants, we find that the profitable storage ratio
rises from 0.9 to 2.3 hours of rated solar power once curtailment exceeds 6 percent of annual
output.

## Method

Prices, irradiance and curtailment orders were resampled jointly, so that windy holidays and
cloudless spring weekends keep their true correlation. The battery was dispatched with a rolling
36-hour horizon and a forecast error taken from operational records.

## Results

Two effects dominate. First, storage value saturates: beyond 2.5 hours the marginal hour earned
less than its yearly capital charge in every region. Second, a plant that may charge from the grid
gains 11 to 17 percent more revenue than one restricted to its own solar energy, a restriction
that many subsidy schemes still impose.

## Limitations

Ageing was modelled per cycle. Calendar ageing in hot sites would lower the optimal ratio by about
a tenth, as a companion study on iron phosphate cells suggests.`,
  },
  {
    url: 'https://papers.meridian.example/2024/calendar-ageing-lfp',
    title: 'Calendar ageing of lithium iron phosphate cells in hot solar sites',
    author: 'T. Nakagawa, R. Haddad',
    published: '2024-10-09',
    language: 'en',
    country: 'JP',
    topics: ['storage'],
    kind: 'paper',
    body: `
## Abstract

Stationary batteries beside solar plants spend most of their life waiting, often hot and nearly
full. We stored 288 commercial iron phosphate cells at four temperatures and five states of charge
for 30 months and measured capacity every six weeks.

## Findings

At 25 degrees and half charge the cells lost 2.1 percent in 30 months. At 45 degrees and full
charge they lost 13.8 percent. Temperature acted more strongly than charge: lowering the
temperature by ten degrees halved the loss, whereas lowering the charge from full to three
quarters saved a third of it.

## Advice for operators

A container that is shaded and ventilated at night kept its cells 6 degrees cooler at no
measurable cost in our field site. Waiting at 70 percent and filling the battery only in the last
hour before the evening discharge would extend service life by roughly three years, at a small
price in flexibility.

## Data

All measurements, including the failed cells, are published with the paper. Eleven cells were
removed after a cooling fault in month 19 and are marked as such.`,
  },
  {
    url: 'https://news.harbourpost.example/2026/solar-battery-record',
    title: 'Batteries carry the evening as solar storage sets a new record',
    author: 'Priya Raman',
    published: { days_ago: 0.3 },
    language: 'en',
    country: 'US',
    topics: ['energy', 'storage'],
    kind: 'news',
    images: ['https://news.harbourpost.example/img/battery-park-dusk.jpg'],
    body: `
Grid batteries supplied more electricity than gas plants for two hours and forty minutes last
evening, the longest such stretch on record, the system operator said in its morning report.

## What happened

A cloudless day had pushed solar output to 19.4 gigawatts by noon, and wholesale prices below zero
for five hours. Batteries charged at up to 9.8 gigawatts, then discharged through the sunset. At
19:10 they covered 31 percent of demand.

## What the operator says

"Two years ago we would have started six gas units for an evening like this," said the shift
manager, Dolores Quint. "We started one, and mostly to keep it warm." The operator expects 3
gigawatts of new energy storage to connect before next summer.

## Voices of caution

Consumer groups noted that evening prices still reached 118 dollars per megawatt-hour. A
spokesperson said the savings appear in wholesale markets first and reach household bills with a
delay of up to a year, when tariffs are set again.`,
  },
  {
    url: 'https://news.harbourpost.example/2026/sodium-factory-opens',
    title: 'Sodium battery factory opens with eyes on solar farms',
    author: 'Priya Raman',
    published: { days_ago: 17 },
    language: 'en',
    country: 'US',
    topics: ['storage', 'energy', 'finance'],
    kind: 'news',
    body: `
A factory that builds batteries from sodium instead of lithium began deliveries this month, the
first of its size outside Asia. Its owner, Halden Cells, says the whole of next year's output is
sold to solar farm developers.

## Why sodium

Sodium is cheap and found everywhere. The cells hold about a third less energy per kilogram than
lithium iron phosphate, which matters in a car and hardly matters in a field. They also work at 20
degrees below zero without heating.

## Price and proof

Halden quotes 71 dollars per kilowatt-hour for complete racks in large orders. Independent cycle
data covers only four years so far. The first customer, a 200 megawatt solar park, has insured the
storage with a performance bond rather than trust a twenty-year warranty.

## Jobs

The plant employs 420 people and plans a second line in 2028. The state paid for the road and for
a training centre, 38 million dollars in all, which must be repaid if fewer than 350 jobs remain
after ten years.`,
  },
  {
    url: 'https://climateledger.example/analysis/storage-emissions',
    title: 'Does solar storage cut emissions? It depends on the hour',
    author: 'Beatrix Olander',
    published: '2026-01-17',
    language: 'en',
    country: 'GB',
    topics: ['climate', 'storage', 'energy'],
    kind: 'article',
    body: `
A battery does not make clean energy. It moves energy from one hour to another and loses some on
the way. Whether that lowers emissions depends on what is displaced at both ends.

## Charging with surplus

When a battery charges from solar power that would have been switched off, the energy is free of
emissions, and everything it displaces in the evening is a gain. In the three regions we examined,
22 percent of charging in 2025 happened in such hours, up from 8 percent in 2022.

## Charging with the margin

In the remaining hours the extra demand was met by whichever plant stood ready, usually gas.
Storage that buys at a cheap hour and sells at a dear one then saves money and may still add
carbon: 41 kilograms per megawatt-hour moved, on average.

## A simple remedy

Operators publish marginal emissions every five minutes. Batteries that included this signal at a
price of 30 dollars a tonne gave up 2 percent of their revenue and avoided 160 kilograms per
megawatt-hour. The software to do it exists; the contracts to reward it mostly do not.`,
  },
  {
    url: 'https://lab.northfield.example/groups/thermal/sand-battery',
    title: 'Storing summer sun in sand: a heat store for a whole district',
    author: 'Henrik Aalto',
    published: '2025-02-12',
    language: 'en',
    country: 'FI',
    topics: ['storage', 'energy', 'cities'],
    kind: 'paper',
    links: ['https://nordic-heat.example/about'],
    body: `
Solar energy can be stored as heat as well as charge. Our group operates an insulated silo with
2,000 tonnes of crushed soapstone that is heated to 400 degrees by surplus electricity and gives
its heat to the district network of a town of 5,000 people.

## Why heat

Four fifths of the energy a northern home uses is heat. Storing electricity in a battery only to
warm water with it takes the long way round. Stone costs a few euros per kilowatt-hour of
capacity, does not age, and cannot burn.

## Measurements of two seasons

| | First winter | Second winter |
|---|---|---|
| Energy stored | 1,140 MWh | 1,390 MWh |
| Energy delivered | 930 MWh | 1,180 MWh |
| Loss per day when full | 0.6 % | 0.4 % |

The improvement came from sealing air paths around the central duct, not from more insulation.

## What it cannot do

Electricity comes back only at a poor rate, about 30 percent through a turbine, so the store does
not replace batteries. It removes a heat load of six megawatts from the coldest evenings, which is
what the local grid needed most.`,
  },
  {
    url: 'https://registry.example/companies/halden-cells',
    title: 'Halden Cells: company profile',
    published: '2026-10-21',
    language: 'en',
    country: 'US',
    topics: ['storage', 'energy', 'finance'],
    kind: 'company',
    links: ['https://news.harbourpost.example/2026/sodium-factory-opens'],
    body: `
Halden Cells makes sodium-ion batteries for stationary energy storage, chiefly for solar parks and
for telephone masts away from the grid. It was founded in 2018 by three former materials
scientists.

## Key facts

| | |
|---|---|
| Founded | 2018 |
| Headquarters | Dayton, Ohio |
| Employees | 690 (September 2026) |
| Chief executive | Ruth Imada |
| Revenue 2025 | 54 million dollars |
| Capital raised | 410 million dollars in four rounds |

## Products

The company sells one cell in two formats, assembled into racks of 220 kilowatt-hours. Racks are
delivered with their own controls; Halden does not build inverters and works with three suppliers.

## Market position

Analysts put its share of the domestic sodium market at 60 percent, in a market that is itself
about 2 percent of all stationary storage. Its main risk is the falling price of lithium iron
phosphate cells, which removed half of the price advantage between 2023 and 2026.

## Ownership

The founders hold 31 percent. The largest outside owner is a utility group with 22 percent and a
seat on the board.`,
  },
  {
    url: 'https://people.example/ruth-imada',
    title: 'Ruth Imada, chemist and founder of a solar storage company',
    published: '2025-05-30',
    language: 'en',
    country: 'US',
    topics: ['storage', 'energy'],
    kind: 'person',
    links: ['https://registry.example/companies/halden-cells'],
    body: `
Ruth Imada is an electrochemist and the chief executive of Halden Cells, a maker of sodium
batteries for solar energy storage. She is known for publishing the failure data of her own
products.

## Career

Imada studied in Honolulu and took her doctorate in 2009 with a thesis on hard carbon anodes. She
spent eight years at a national laboratory, where her group held the record for sodium cell life
from 2014 to 2017. She left with two colleagues to found Halden Cells in 2018.

## Views

She argues that storage should be judged by the cost of each kilowatt-hour delivered over its
life, not by energy per kilogram. "Nobody has ever asked me what a substation weighs," she told a
parliamentary hearing in 2024. She opposes export limits on battery know-how and has testified
against them twice.

## Recognition and board seats

She received the Calder Medal in 2021 and sits on the boards of a teachers' pension fund and of a
vocational college in Dayton. She holds 27 patents, nine of which the company has opened to others
without charge for use in solar pumps and clinics.`,
  },
];
